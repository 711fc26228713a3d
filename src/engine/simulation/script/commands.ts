/**
 * Built-in commands of scripts, as in busybox (busybox.net, "BusyBox - The Swiss Army Knife of
 * Embedded Linux").
 */
import { agnhost } from '../agnhost'
import { curl } from './builtins/curl'
import { FILE_COMMANDS } from './builtins/files'
import { hexdump } from './builtins/hexdump'
import { KERNEL_COMMANDS } from './builtins/kernel'
import { NAME_COMMANDS } from './builtins/names'
import { NETWORK_COMMANDS } from './builtins/network'
import { RESOURCE_COMMANDS } from './builtins/resources'
import { EDITORS } from './builtins/sed'
import { SYSTEM_COMMANDS } from './builtins/system'
import { tar } from './builtins/tar'
import { TEXT_COMMANDS } from './builtins/text'
import { wget } from './builtins/wget'
import type { Builtin } from './command'

export const BUILTINS: ReadonlyMap<string, Builtin> = new Map([
  ...SYSTEM_COMMANDS,
  ...FILE_COMMANDS,
  ...TEXT_COMMANDS,
  ...EDITORS,
  ...NETWORK_COMMANDS,
  ...NAME_COMMANDS,
  ...RESOURCE_COMMANDS,
  ...KERNEL_COMMANDS,
  ['hexdump', hexdump],
  ['curl', curl],
  ['wget', wget],
  ['tar', tar],
  ...['/agnhost', '/agnhost-2'].map((name) => [name, agnhost(name)] as const),
])
