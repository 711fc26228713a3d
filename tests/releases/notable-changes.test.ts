/**
 * The notable changes of kubernetes.io, "Deprecated API Migration Guide", each checked on a server
 * that serves the older version and on one that does not. Each test is named after its API and its
 * change in that guide.
 */
import './notable-changes/access-reviews'
import './notable-changes/autoscalers'
import './notable-changes/certificate-signing-requests'
import './notable-changes/custom-resource-definitions'
import './notable-changes/disruption-budgets'
import './notable-changes/endpoint-slices'
import './notable-changes/events'
import './notable-changes/flow-control'
import './notable-changes/ingresses'
import './notable-changes/webhooks'
import './notable-changes/workloads'
import { expect, it } from 'vitest'
import { rowsOfTable } from '../../src/engine/releases'

import { reported } from './notable-changes/change'

it('every notable change of the table has a test', () => {
  const all = rowsOfTable().flatMap((row) => row.changes.map(({ name }) => `${row.name}: ${name}`))
  expect(all.filter((one) => !reported.includes(one))).toEqual([])
  expect(reported.filter((one) => !all.includes(one))).toEqual([])
})
