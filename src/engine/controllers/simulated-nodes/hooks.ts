/**
 * Lifecycle hooks of containers, each of which runs once in each run of its container.
 * https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/
 */
import type { Container, LifecycleHandler } from 'kubernetes-types/core/v1'
import type { LiveClient } from '../../simulation/network/client'
import type { HookRun, PodState } from '../../simulation/pod-state'
import { portOf } from '../../simulation/probes'
import type { ExecResult } from '../../simulation/shell'

export interface HookPlace {
  own: PodState
  now: number
  podIP: string
  /** The network of the node; undefined if it cannot be reached now. */
  network: LiveClient | undefined
  run(container: Container, restarts: number, command: readonly string[]): ExecResult
}

export type Hook = 'postStart' | 'preStop'

/** @returns undefined for a container without this hook */
export function hookOf(
  container: Container,
  restarts: number,
  hook: Hook,
  place: HookPlace,
): HookRun | undefined {
  const handler = container.lifecycle?.[hook]
  if (handler === undefined) return undefined
  const key = `${container.name} ${restarts} ${hook}`
  const known = place.own.hooks.get(key)
  if (known) return known
  const done = { at: place.now, ...resultOf(handler, container, restarts, place) }
  place.own.hooks.set(key, done)
  return done
}

function resultOf(
  { exec, httpGet, sleep }: LifecycleHandler & { sleep?: { seconds: number } },
  container: Container,
  restarts: number,
  { network, podIP, run }: HookPlace,
): Omit<HookRun, 'at'> {
  if (sleep) return { seconds: sleep.seconds, isFailed: false }
  if (exec) {
    const { code, seconds = 0, unknown } = run(container, restarts, exec.command ?? [])
    return unknown ? DONE : { seconds, isFailed: code !== 0 }
  }
  if (httpGet === undefined || network === undefined) return DONE
  const ip = network.addressOf(httpGet.host || podIP)
  const port = portOf(httpGet.port, container)
  if (ip === undefined || ip === 'timeout' || port === undefined) return FAILED
  const target = network.connect(ip, port)
  if (target.result === 'closed' || target.result === 'timeout') return FAILED
  // The kubelet does not look at the response.
  if (target.result === 'open')
    network.request(target, {
      method: 'GET',
      path: `/${(httpGet.path ?? '').replace(/^\//, '')}`,
      headers: { 'user-agent': 'kube-lifecycle/' },
    })
  return DONE
}

/** Also where the result is unknown. */
const DONE = { seconds: 0, isFailed: false }
const FAILED = { seconds: 0, isFailed: true }
