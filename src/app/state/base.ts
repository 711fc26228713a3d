/** The page's base path, ending with `/`: `/`, or `/playground/` on a static host. */
export const BASE = new URL(import.meta.env.BASE_URL, document.baseURI).pathname
