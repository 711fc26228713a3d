/**
 * Name of the file that lists the page's files. It contains the build, so a new page makes a new
 * worker. Empty during development; the bundler replaces it.
 */
export const PAGE_FILE: string = ''
