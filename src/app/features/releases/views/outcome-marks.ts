import type { IconName } from '../../../components/Icon'
import type { Outcome, Report } from '../findings'

export const MARKS: Record<Outcome, { icon: IconName; tone: 'good' | 'warn' | 'bad' }> = {
  accepted: { icon: 'check', tone: 'good' },
  deprecated: { icon: 'warning', tone: 'warn' },
  gone: { icon: 'close', tone: 'bad' },
  absent: { icon: 'close', tone: 'bad' },
  off: { icon: 'close', tone: 'bad' },
  unknown: { icon: 'close', tone: 'bad' },
  rejected: { icon: 'stop', tone: 'bad' },
}

/** In the order of MARKS. */
export function shownOutcomes({ manifests }: Report): Outcome[] {
  const found = new Set(manifests.flatMap(({ findings }) => findings.map(({ outcome }) => outcome)))
  return (Object.keys(MARKS) as Outcome[]).filter((outcome) => found.has(outcome))
}
