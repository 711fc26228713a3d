import type { Kind } from '../../registry/kind'
import { at, NAMES } from '../../registry/selectable-fields'
import { CHANGE_ONLY, OBJECT_FIRST, WITHOUT_METADATA } from '../../registry/update-order'
import { goQuote } from '../../schema/go-text'
import { REQUIRED } from '../../validation/declared/rules'
import { cronJobStrategy } from './cron-job'
import { jobStrategy } from './job'

export const batchKinds: readonly Kind[] = [
  {
    group: 'batch',
    kind: 'CronJob',
    strategy: cronJobStrategy,
    updateChecks: WITHOUT_METADATA,
    subresourceChecks: ['change'],
    declared: { members: { spec: { members: { schedule: REQUIRED } } } },
  },
  {
    group: 'batch',
    kind: 'Job',
    strategy: jobStrategy,
    updateChecks: OBJECT_FIRST,
    later: { change: 'JobUpdatesCheckedOnce', updateChecks: CHANGE_ONLY },
    selectable: {
      fields: { ...NAMES, 'status.successful': at('status.succeeded', '0') },
      rejection: (field) => `field label ${goQuote(field)} not supported for Job`,
    },
  },
]
