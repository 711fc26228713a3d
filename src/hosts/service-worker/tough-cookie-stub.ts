/**
 * Stands in for `tough-cookie` in the worker's bundle. MSW keeps cookies of mocked responses with it; the API has none, and the
 * real package is nine tenths of what MSW would add here.
 */
export class Cookie {}
export class Store {}
export class MemoryCookieStore extends Store {}
export class CookieJar {
  getCookiesSync(): Cookie[] {
    return []
  }
  setCookieSync(): undefined {
    return undefined
  }
}
export default { Cookie, CookieJar, Store, MemoryCookieStore }
