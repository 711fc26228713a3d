/** All lessons, in the order in which they build on each other. */
import type { Lesson } from '../lesson'
import { bookmarksAndGone } from './bookmarks-and-410'
import { chunkedList } from './chunked-list'
import { dryRunAndStrict } from './dry-run-and-strict'
import { everythingIsAPath } from './everything-is-a-path'
import { fourPatches } from './four-patches'
import { leastPrivilege } from './least-privilege'
import { listThenWatch } from './list-then-watch'
import { listsWithKeys } from './lists-with-keys'
import { lostUpdate } from './lost-update'
import { namespacesDieSlowly } from './namespaces-die-slowly'
import { noLadderUp } from './no-ladder-up'
import { policyWithParams } from './policy-with-params'
import { priceOfCel } from './price-of-cel'
import { quotaAndLimits } from './quota-and-limits'
import { specAndStatus } from './spec-and-status'
import { timePasses } from './time-passes'
import { undeletable } from './undeletable'
import { verbsAreNotMethods } from './verbs-are-not-methods'
import { whoOwnsReplicas } from './who-owns-replicas'

export const LESSONS: readonly Lesson[] = [
  everythingIsAPath,
  verbsAreNotMethods,
  lostUpdate,
  listThenWatch,
  bookmarksAndGone,
  chunkedList,
  specAndStatus,
  undeletable,
  namespacesDieSlowly,
  fourPatches,
  whoOwnsReplicas,
  listsWithKeys,
  dryRunAndStrict,
  leastPrivilege,
  noLadderUp,
  policyWithParams,
  priceOfCel,
  quotaAndLimits,
  timePasses,
]
