"""Dynamic to static, the public names: `to_static`, saving and loading of static models.

Nothing but names and their documents is in here: `function` has static functions, `saved` what is saved and loaded.
"""

from to_static.core.importing.lazy_module import attach

_HOMES = {
    "to_static.jit.api": ("to_static not_to_static enable_to_static ignore_module set_code_level set_verbosity ProgramTranslator"),
    "to_static.compiler.frontend.function.static_function": "StaticFunction",
    "to_static.compiler.saved.save": "save",
    "to_static.compiler.saved.traced_layer": "TracedLayer",
    "to_static.compiler.saved.load": "load TranslatedLayer",
}
__getattr__, __dir__, __all__ = attach(__name__, _HOMES)
