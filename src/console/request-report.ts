/** `-v=6` … `-v=9`: logs requests in kubectl's format. */
import type { ConsoleClock } from './environment'

/** The verbosity at which each part is logged. */
const LINE = 6
const HEADERS = 7
const RESPONSE_HEADERS = 8
const BODIES = 8
/** Maximum body length by verbosity; above, bodies are complete. */
const LONGEST: Record<number, number> = { 8: 1024, 9: 10240 }
const AS_CURL = 9

export class RequestReport {
  private readonly started: number
  private method = ''
  private url = ''

  constructor(
    private readonly verbosity: number,
    private readonly clock: ConsoleClock,
    private readonly write: (text: string) => void,
  ) {
    this.started = clock.now()
  }

  request(
    method: string,
    url: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): void {
    this.method = method
    this.url = url
    if (body !== undefined && this.verbosity >= BODIES) this.line(`Request Body: ${this.cut(body)}`)
    if (this.verbosity >= AS_CURL) this.line(asCurl(method, url, headers))
    else if (this.verbosity >= HEADERS) {
      this.line(`${method} ${url}`)
      this.line('Request Headers:')
      for (const [name, value] of Object.entries(headers)) this.line(`    ${name}: ${value}`)
    }
  }

  response({ status, statusText, headers }: Response): void {
    if (this.verbosity < LINE) return
    const shown = `${status} ${STATUS_TEXTS[status] ?? statusText}`.trim()
    const took = `in ${Math.round(this.clock.now() - this.started)} milliseconds`
    this.line(
      this.verbosity >= HEADERS && this.verbosity < AS_CURL
        ? `Response Status: ${shown} ${took}`
        : `${this.method} ${this.url} ${shown} ${took}`,
    )
    if (this.verbosity < RESPONSE_HEADERS) return
    this.line('Response Headers:')
    for (const [name, value] of headers)
      this.line(`    ${name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase())}: ${value}`)
  }

  body(text: string): void {
    if (this.verbosity >= BODIES && text !== '') this.line(`Response Body: ${this.cut(text)}`)
  }

  private cut(text: string): string {
    const longest = LONGEST[this.verbosity]
    if (longest === undefined || text.length <= longest) return text.trimEnd()
    return `${text.slice(0, longest)} [truncated ${text.length - longest} chars]`
  }

  /** `I1121 18:37:32.123456] …` */
  private line(text: string): void {
    const time = new Date(this.clock.now()).toISOString()
    this.write(`I${time.slice(5, 7)}${time.slice(8, 10)} ${time.slice(11, 23)}000] ${text}\n`)
  }
}

function asCurl(method: string, url: string, headers: Record<string, string>): string {
  const shown = Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`)
  return `curl -v -X${method} ${shown.join(' ')} '${url}'`
}

const STATUS_TEXTS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}
