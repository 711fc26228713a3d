import { create } from 'zustand'
import type { KubeObject } from '../../../engine/core/object'
import { useActors } from '../../state/actors'
import { ApiFailure, sendRequest, stream } from '../../state/client'
import { queryAt, useMoment } from '../../state/moment'
import { throttle } from '../../state/throttle'

const FOLLOWED: readonly { path: string; apiVersion: string; kind: string }[] = [
  { path: '/api/v1/nodes', apiVersion: 'v1', kind: 'Node' },
  { path: '/api/v1/pods', apiVersion: 'v1', kind: 'Pod' },
  { path: '/apis/apps/v1/deployments', apiVersion: 'apps/v1', kind: 'Deployment' },
  { path: '/apis/apps/v1/replicasets', apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  { path: '/apis/apps/v1/statefulsets', apiVersion: 'apps/v1', kind: 'StatefulSet' },
  { path: '/apis/apps/v1/daemonsets', apiVersion: 'apps/v1', kind: 'DaemonSet' },
  { path: '/apis/batch/v1/jobs', apiVersion: 'batch/v1', kind: 'Job' },
  { path: '/api/v1/resourcequotas', apiVersion: 'v1', kind: 'ResourceQuota' },
  { path: '/api/v1/events', apiVersion: 'v1', kind: 'Event' },
]

interface LiveState {
  objects: readonly KubeObject[]
  /** Every kind has been listed once. */
  complete: boolean
  failure: string | undefined
}

export const useLive = create<LiveState>(() => ({
  objects: [],
  complete: false,
  failure: undefined,
}))

const PACE = { leadingMs: 30, intervalMs: 150 }
const RETRY_MILLISECONDS = 500

export function followLive(): () => void {
  let control = new AbortController()
  const begin = () => {
    control.abort()
    control = new AbortController()
    void new Following(control.signal, useMoment.getState().revision).run()
  }
  begin()
  const stops = [
    useMoment.subscribe((now, before) => now.revision !== before.revision && begin()),
    useActors.subscribe((now, before) => now.actor !== before.actor && begin()),
  ]
  return () => {
    for (const stop of stops) stop()
    control.abort()
  }
}

class Following {
  private readonly objects = new Map<string, KubeObject>()
  private responses = 0
  private readonly shown = throttle(() => this.show(), PACE)

  constructor(
    private readonly signal: AbortSignal,
    private readonly revision: number | undefined,
  ) {}

  async run(): Promise<void> {
    await Promise.all(FOLLOWED.map((what) => this.follow(what)))
  }

  private async follow(what: (typeof FOLLOWED)[number]): Promise<void> {
    for (let first = true; !this.signal.aborted; first = false) {
      try {
        const version = await this.list(what)
        if (first) this.onResponse()
        if (this.revision !== undefined) return
        await this.watch(what, version)
      } catch (error) {
        if (this.signal.aborted) return
        if (first) this.onResponse()
        // Hides lists that the actor may not read; retries after other errors.
        if (error instanceof ApiFailure && error.response.status < 500) {
          useLive.setState({ failure: error.message })
          return
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS))
    }
  }

  private onResponse(): void {
    this.responses++
    this.shown.schedule()
    if (this.responses === FOLLOWED.length) this.shown.flush()
  }

  /** @returns the resourceVersion to watch from @throws ApiFailure */
  private async list({ path, apiVersion, kind }: (typeof FOLLOWED)[number]): Promise<string> {
    const response = await sendRequest({
      method: 'GET',
      path: `${path}${queryAt(this.revision)}`,
      origin: 'page',
      signal: this.signal,
    })
    if (!response.ok) throw new ApiFailure(response)
    const { items, metadata } = response.json as {
      items: KubeObject[] | null
      metadata: { resourceVersion: string }
    }
    for (const [key, object] of this.objects) if (object.kind === kind) this.objects.delete(key)
    for (const item of items ?? [])
      this.objects.set(keyOf(kind, item), { ...item, apiVersion, kind })
    this.shown.schedule()
    return metadata.resourceVersion
  }

  private async watch({ path, kind }: (typeof FOLLOWED)[number], version: string): Promise<void> {
    const request = {
      method: 'GET',
      path: `${path}?watch=1&resourceVersion=${version}`,
      origin: 'page',
      signal: this.signal,
    } as const
    await stream(request, (line) => {
      const { type, object } = line as { type: string; object: KubeObject }
      if (type === 'ERROR') return
      if (type === 'DELETED') this.objects.delete(keyOf(kind, object))
      else this.objects.set(keyOf(kind, object), object)
      this.shown.schedule()
    })
  }

  private show(): void {
    if (this.signal.aborted || this.responses < FOLLOWED.length) return
    useLive.setState({ objects: [...this.objects.values()], complete: true })
  }
}

const keyOf = (kind: string, { metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`
