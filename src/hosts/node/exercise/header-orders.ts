/**
 * In which order clients send their headers, one order for each family of them: the object that the platform makes of the headers is
 * of another kind for each, and code that was compiled for one kind is thrown away when another comes.
 */
export type HeaderOrder = readonly string[]

export const HEADER_ORDERS = {
  /** kubectl and all that is made with Go's client. */
  go: ['Host', 'User-Agent', 'Content-Length', 'Accept', 'Authorization', 'Content-Type', 'Accept-Encoding'],
  node: ['Authorization', 'Accept', 'User-Agent', 'Content-Type', 'Content-Length', 'Host', 'Connection'],
  fetch: ['Host', 'Connection', 'Authorization', 'Content-Type', 'Accept', 'User-Agent', 'Accept-Encoding', 'Content-Length'],
  python: ['Host', 'Accept-Encoding', 'Accept', 'User-Agent', 'Content-Type', 'Authorization', 'Content-Length'],
} as const satisfies Record<string, HeaderOrder>
