import type { Command } from '../../command'
import { CONFIGURATION } from './configuration'
import { generated } from './generator'
import { POLICIES } from './policies'
import { RIGHTS } from './rights'
import { SECRET } from './secrets'
import { SERVICE } from './services'
import { WORKLOADS } from './workloads'

export const GENERATORS: readonly Command[] = [
  ...[...CONFIGURATION, ...WORKLOADS, ...RIGHTS, ...POLICIES].map((generator) =>
    generated(generator),
  ),
  SECRET,
  SERVICE,
]
