/** All cases. */
import type { Case } from './case'
import { CLUSTER } from './cluster'
import { MISTAKES, READING } from './reading'

export const CASES: readonly Case[] = [READING, MISTAKES, CLUSTER]
