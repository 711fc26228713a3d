/** All cases. */
import type { Case } from './case'
import { APPLYING, DELETING, PATCHING } from './changing'
import { CLUSTER } from './cluster'
import { CREATING, GENERATING } from './creating'
import { DESCRIBING, DESCRIBING_LIVE } from './describing'
import { EDITING } from './editing'
import { MISTAKES, READING } from './reading'
import { NODES, RIGHTS, ROLLING } from './running'

export const CASES: readonly Case[] = [
  READING,
  MISTAKES,
  CLUSTER,
  CREATING,
  GENERATING,
  APPLYING,
  PATCHING,
  EDITING,
  DELETING,
  ROLLING,
  NODES,
  RIGHTS,
  DESCRIBING,
  DESCRIBING_LIVE,
]
