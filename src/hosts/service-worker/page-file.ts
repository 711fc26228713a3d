/**
 * The list of the page's files; its name contains the build, so a new page makes a new worker. Set
 * by the bundler; empty during development.
 */
export const PAGE_FILE: string = ''
