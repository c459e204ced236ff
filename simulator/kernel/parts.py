"""What becomes machine code, and what only becomes part of it.

Numba makes machine code of every function that another one calls, with two wrappers to call it from outside, and then compiles
all of it once more within the caller. Most of a first start would be spent on that. So a function is compiled in one of two ways:
as a whole, for who calls it from Python or by its address, and as a part, which goes no further than other compiled functions need.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.environment import lookup_environment


class _Whole(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """Machine code, parts and all."""

    def _finalize_specific(self) -> None:
        """Also give its parts their environments, which `print` needs; they have no place of their own."""
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                self._codegen.set_env(variable.name, environment)


class Part(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """Code that is read by other code, and never run by itself."""

    @classmethod
    def read(cls, codegen: Any, written: tuple[str, str, bytes]) -> Part:
        """The part that was written to the disk."""
        name, _, bitcode = written
        part = cls(codegen, name)
        part._final_module = llvm.parse_bitcode(bitcode)
        part._finalize_final_module()
        return part

    def serialize_using_object_code(self) -> Any:
        """Without object code, as there is none."""
        return self.serialize_using_bitcode()

    def get_pointer_to_function(self, _name: str) -> int:
        """Nowhere."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Part:
        """What is told the environment, see `set_env`."""
        return self

    def set_env(self, _name: str, _environment: Any) -> None:
        """The whole does that."""

    def _optimize_final_module(self) -> None:
        """As far as that makes it smaller; the rest would have to be done again in the whole."""
        cheap = {"loop_vectorize": False, "slp_vectorize": False, "opt": 0, "cost": "cheap"}
        passes, builder = self._codegen._module_pass_manager(**cheap)  # noqa: SLF001  Numba's own, with its own arguments for this
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _Compiler(CompilerBase):  # type: ignore[misc]  # Numba has no types
    """Numba's compiler, with a library of ours to compile into."""

    library: type[JITCodeLibrary]

    def define_pipelines(self) -> list[Any]:
        """The usual one."""
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


class CompileWhole(_Compiler):
    """For what is called from Python or by its address."""

    library = _Whole


class CompilePart(_Compiler):
    """For what is called from other compiled functions."""

    library = Part
