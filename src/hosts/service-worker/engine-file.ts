/**
 * Name of the file, beside the worker's script, that holds the engine (hosts/shared/browser-engine.ts with all it needs) as a
 * script whose last value is its exports. It carries a hash of its content, so that a new engine makes a new worker. Empty here:
 * bundling the worker puts the name in this module's place.
 *
 * Why a file of its own: a browser compiles the script of a worker that is being installed down to its last function, stores it,
 * and only then lets the worker begin. The engine is fetched beside all that, and compiled when it is run, function by function.
 */
export const ENGINE_FILE: string = ''
