/** Requests of simulated programs to the API server, as `kubernetes.default.svc` takes them. */
import { entryOf } from '../core/object'
import { type ApiRequest, type ApiResponse, isStream } from '../http/messages'
import type { HttpRequest, HttpResponse } from '../simulation/network/client'

/** @returns undefined for a response without an end, such as a watch */
export async function callFromPod(
  handle: (request: ApiRequest) => Promise<ApiResponse>,
  { method, path, headers = {}, body = '' }: HttpRequest,
): Promise<HttpResponse | undefined> {
  const response = await handle({
    method,
    target: path,
    header: (name) => entryOf(headers, name),
    headerNames: () => Object.keys(headers),
    body: async () => new TextEncoder().encode(body),
  })
  const { status, body: sent = '' } = response
  if (isStream(sent) || response.tunnel || response.forwarding || response.passage) return undefined
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    body: typeof sent === 'string' ? sent : new TextDecoder().decode(sent),
  }
}
