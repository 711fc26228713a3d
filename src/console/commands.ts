import type { Command } from './command'
import { API_RESOURCES } from './commands/api-resources'
import { APPLY } from './commands/apply'
import { AUTH } from './commands/auth/index'
import { CERTIFICATE } from './commands/certificate'
import { API_VERSIONS, CLUSTER_INFO, VERSION } from './commands/cluster'
import { CONFIG } from './commands/config'
import { CREATE } from './commands/create/index'
import { DELETE } from './commands/delete'
import { DESCRIBE } from './commands/describe'
import { DIFF } from './commands/diff'
import { DRAIN } from './commands/drain'
import { EDIT } from './commands/edit'
import { EVENTS } from './commands/events'
import { EXEC } from './commands/exec'
import { EXPLAIN } from './commands/explain'
import { EXPOSE } from './commands/expose'
import { GET } from './commands/get'
import { helpCommand, OPTIONS } from './commands/help'
import { LOGS } from './commands/logs'
import { ANNOTATE, LABEL } from './commands/metadata'
import { CORDON, TAINT, UNCORDON } from './commands/nodes'
import { PATCH } from './commands/patch'
import { REPLACE } from './commands/replace'
import { ROLLOUT } from './commands/rollout/index'
import { RUN } from './commands/run'
import { AUTOSCALE, SCALE } from './commands/scale'
import { SET } from './commands/set/index'
import { TOP, UNAVAILABLE } from './commands/unavailable'
import { WAIT } from './commands/wait'

export const COMMANDS: readonly Command[] = [
  GET,
  DESCRIBE,
  EXPLAIN,
  EVENTS,
  WAIT,
  CREATE,
  APPLY,
  DIFF,
  EDIT,
  REPLACE,
  PATCH,
  DELETE,
  LABEL,
  ANNOTATE,
  RUN,
  EXPOSE,
  SCALE,
  AUTOSCALE,
  SET,
  ROLLOUT,
  LOGS,
  EXEC,
  CORDON,
  UNCORDON,
  DRAIN,
  TAINT,
  CERTIFICATE,
  AUTH,
  API_RESOURCES,
  API_VERSIONS,
  CLUSTER_INFO,
  VERSION,
  CONFIG,
  TOP,
  ...UNAVAILABLE,
  helpCommand(() => COMMANDS),
  OPTIONS,
]
