/** The heads of responses, as Node's own server writes them. */
import { STATUS_CODES } from 'node:http'
import type { ApiResponse } from '../../../engine/http/messages'
import { NO_VALUE } from './request-head'

/**
 * @param framing how the body's end is found
 * @param last the lines of the connection itself
 * @throws Error for a value that would not stay within its line
 */
export function headOf(
  { status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
  framing: string,
  last: string,
): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  for (const name in headers) {
    const value = headers[name] as string | string[]
    if (typeof value === 'string') head += lineOf(name, value)
    else for (const one of value) head += lineOf(name, one)
  }
  return `${head}${framing}${dateLine()}${last}\r\n`
}

function lineOf(name: string, value: string): string {
  if (NO_VALUE.test(value))
    throw new Error(`the header ${name} cannot say ${JSON.stringify(value)}`)
  return `${name}: ${value}\r\n`
}

let date = { second: -1, line: '' }

/** Made once a second. */
function dateLine(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date.second)
    date = { second, line: `Date: ${new Date(second * 1000).toUTCString()}\r\n` }
  return date.line
}
