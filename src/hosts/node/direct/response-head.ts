/** Writes response heads as Node.js's HTTP server does. */
import { STATUS_CODES } from 'node:http'
import type { ApiResponse } from '../../../engine/http/messages'
import { NO_VALUE } from './request-head'

/**
 * @param framing the header that delimits the body
 * @param last the connection's own header lines
 * @throws Error for invalid characters in a value
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
    throw new Error(`the header ${name} cannot contain ${JSON.stringify(value)}`)
  return `${name}: ${value}\r\n`
}

let date = { second: -1, line: '' }

function dateLine(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date.second)
    date = { second, line: `Date: ${new Date(second * 1000).toUTCString()}\r\n` }
  return date.line
}
