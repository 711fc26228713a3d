/** Which requests are the API server's, under any base path that the page is served from. */
const OWNED = /^\/(?:apis?|openapi|openid|healthz|livez|readyz|version|metrics)(?:\/|$)|^\/\.well-known\/openid-configuration$/

/**
 * @param base path of the page, ending with `/`
 * @returns path and query for the engine, or undefined if the request is for a file of the page
 */
export function engineTarget(url: URL, base: string): string | undefined {
  if (OWNED.test(url.pathname)) return url.pathname + url.search
  if (base === '/' || !url.pathname.startsWith(base)) return undefined
  const inside = url.pathname.slice(base.length - 1)
  return OWNED.test(inside) ? inside + url.search : undefined
}
