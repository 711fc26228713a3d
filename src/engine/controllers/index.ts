/** The controllers that there are, and those that `--controllers` asks for. */
import { apiServices } from './api-services'
import type { Controller, Loop } from './controller'
import { flowSchemas } from './flow-schemas'
import { serviceAccounts } from './service-accounts'

export const CONTROLLERS: readonly Controller[] = [serviceAccounts]

/** What the API server does beside requests whatever it is asked to run. */
export const OWN_LOOPS: readonly Loop[] = [apiServices, flowSchemas]

/**
 * @param asked names; `*` is all, `-name` one less; `off`, or nothing, is none
 * @returns the controllers, or the first name that none has
 */
export function controllersOf(asked: readonly string[]): Controller[] | string {
  const names = asked.filter((name) => name !== 'off' && name !== '*')
  const unknown = names.find((name) => !CONTROLLERS.some((controller) => controller.name === name.replace(/^-/, '')))
  if (unknown !== undefined) return unknown
  return CONTROLLERS.filter(({ name }) => !names.includes(`-${name}`) && (asked.includes('*') || names.includes(name)))
}
