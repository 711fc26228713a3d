/**
 * The engine (hosts/shared/browser-engine.ts with all it needs) as the text of a script whose last value is its exports. Empty
 * here: bundling the worker puts the text in this module's place.
 *
 * Why a text: a browser compiles the script of a worker that is being installed down to its last function, about 0.4 ms for every
 * kilobyte, before the page may send its first request. What a text holds is compiled when it is run, function by function.
 */
export const ENGINE_TEXT: string = ''
