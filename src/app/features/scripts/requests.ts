import { CLIENT_HEADER } from '../../../engine/core/names'
import { engineTarget, FIRST_WORKSPACE } from '../../../hosts/shared/paths'
import { type Actor, useActors } from '../../state/actors'
import { urlOf } from '../../state/client'
import { credentialHeaders } from '../../state/credentials'
import { useRequests } from '../../state/requests'
import type { FromScript, ToScript } from './protocol'
import * as texts from './shell-texts'

type ScriptRequest = Extract<FromScript, { kind: 'request' }>

/** Longer responses are not logged. */
const LONGEST_LOGGED = 1024 * 1024

/** @returns the error of a path outside the API; `/~` leads to other workspaces */
function pathProblem(path: string): string | undefined {
  const target = URL.canParse(path, 'http://cluster')
    ? engineTarget(new URL(path, 'http://cluster'), '/')
    : undefined
  if (target === undefined) return texts.notApiPath(path)
  return target.workspace === FIRST_WORKSPACE ? undefined : texts.otherWorkspace
}

export class ScriptRequests {
  private readonly running = new Map<number, AbortController>()
  private readonly actor: Actor = useActors.getState().actor

  /** @param send resolves when the script has received the message */
  constructor(private readonly send: (message: ToScript) => Promise<void>) {}

  abort(request: number): void {
    this.running.get(request)?.abort()
  }

  abortAll(): void {
    for (const control of this.running.values()) control.abort()
  }

  /** Never rejects. */
  async request({ request, method, path, headers, body }: ScriptRequest): Promise<void> {
    const problem = pathProblem(path)
    if (problem !== undefined) return this.send({ kind: 'failed', request, message: problem })
    const control = new AbortController()
    this.running.set(request, control)
    const sent = new Headers(headers)
    const log = this.logged(method, path, Object.fromEntries(sent), body)
    if (!sent.has('authorization'))
      for (const [name, value] of Object.entries(credentialHeaders(this.actor)))
        sent.set(name, value)
    if (!sent.has(CLIENT_HEADER)) sent.set(CLIENT_HEADER, 'script')
    try {
      const response = await fetch(urlOf(path), {
        method,
        headers: sent,
        signal: control.signal,
        ...(body === undefined ? {} : { body }),
      })
      log({ status: response.status, responseHeaders: Object.fromEntries(response.headers) })
      await this.send({
        kind: 'head',
        request,
        status: response.status,
        statusText: response.statusText,
        headers: [...response.headers],
      })
      const text = await this.pass(request, response.body)
      await this.send({ kind: 'end', request })
      log({ open: false, ...(text === undefined ? {} : { response: text }) })
    } catch (error) {
      const message = control.signal.aborted
        ? 'aborted'
        : error instanceof Error
          ? error.message
          : String(error)
      log({ failure: message, open: false })
      await this.send({ kind: 'failed', request, message })
    } finally {
      this.running.delete(request)
    }
  }

  /** @returns the body; undefined if it is too long for the log */
  private async pass(
    request: number,
    body: ReadableStream<Uint8Array> | null,
  ): Promise<string | undefined> {
    const decoder = new TextDecoder()
    let text = ''
    let length = 0
    const reader = body?.getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done || value === undefined) break
      length += value.length
      text = length > LONGEST_LOGGED ? '' : text + decoder.decode(value, { stream: true })
      await this.send({ kind: 'body', request, bytes: value })
    }
    return length > LONGEST_LOGGED ? undefined : text + decoder.decode()
  }

  private logged(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
  ) {
    const { add, update } = useRequests.getState()
    const started = performance.now()
    const shown = {
      at: Date.now(),
      method,
      path,
      who: this.actor.name,
      origin: 'script' as const,
      headers,
      open: true,
    }
    const id = add({ ...shown, ...(body === undefined ? {} : { body }) })
    return (change: Parameters<typeof update>[1]) =>
      update(id, { ...change, milliseconds: performance.now() - started })
  }
}
