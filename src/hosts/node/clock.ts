import type { Clock } from '../../engine/core/environment'
import type { ApiServerOptions } from '../../engine/server/server-options'
import { ClusterClock, FASTEST } from '../../engine/time/cluster-clock'
import { FlagError, type Flags } from './flags'

/**
 * @param real the machine's clock, and the default cluster clock
 * @throws FlagError for an invalid rate or start time
 */
export function clockOf(
  flags: Pick<Flags, 'clock' | 'clock-begin'>,
  real: Clock,
): Partial<ApiServerOptions> {
  const [rate, begin] = [rateOf(flags.clock), flags['clock-begin']]
  if (rate === 1 && begin === '') return {}
  const time = begin === '' ? real.now() : Date.parse(begin)
  if (Number.isNaN(time))
    throw new FlagError(`invalid argument ${JSON.stringify(begin)} for "--clock-begin" flag`)
  const clock = new ClusterClock(real, { time, rate })
  if (rate === 0) process.on('SIGUSR2', () => void clock.step())
  return { clock, timers: real, working: (working) => (working ? clock.hold() : clock.release()) }
}

/** @throws FlagError */
function rateOf(text: string): number {
  if (text === 'real') return 1
  if (text === 'paused') return 0
  const [, times = ''] = /^(\d+(?:\.\d+)?)x$/.exec(text) ?? []
  if (times === '' || Number(times) > FASTEST)
    throw new FlagError(`invalid argument ${JSON.stringify(text)} for "--clock" flag`)
  return Number(times)
}
