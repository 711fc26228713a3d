/**
 * The messages of HTTP errors without a Status. k8s.io/apimachinery, pkg/api/errors,
 * NewGenericServerResponse.
 */
import { goQuote } from '../schema/go-text'

const TEXTS: Record<number, string> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
}
const QUOTED = [403, 406, 415]

/** @param words the body; `unknown` if it is not text */
export function statusText(code: number, words: string): string {
  if (QUOTED.includes(code)) return words
  const text = TEXTS[code]
  if (text !== undefined) return text
  if (code >= 500)
    return `an error on the server (${goQuote(words)}) has prevented the request from succeeding`
  return `the server responded with the status code ${code} but did not return more information`
}
