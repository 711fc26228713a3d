/** What tests of definitions and of their objects share: widgets. */
import { expect } from 'vitest'
import type { SendRequest } from '../http/test-client'

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'

export function definition(
  plural: string,
  kind: string,
  more: Record<string, unknown> = {},
  version: Record<string, unknown> = {},
) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
                status: { type: 'object' },
              },
            },
          },
          ...version,
        },
      ],
      ...more,
    },
  }
}

export const widget = (name: string, more: Record<string, unknown> = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  ...more,
})

export const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

export async function define(sendRequest: SendRequest, body: unknown): Promise<void> {
  expect((await sendRequest(DEFINITIONS, { method: 'POST', body })).status).toBe(201)
  await settled()
}
