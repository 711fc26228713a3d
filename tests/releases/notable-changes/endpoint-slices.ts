import { describe, expect } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'

import { change, moving, sample } from './change'

describe('endpoint slices', () => {
  const path = (version: string) =>
    `/apis/discovery.k8s.io/${version}/namespaces/default/endpointslices`
  change('1.25 EndpointSlice', 'node-and-zone', async () => {
    const { writeOld, readNew } = moving('1.24', '1.25')
    await writeOld(path('v1beta1'), sample('discovery.k8s.io/v1beta1', 'EndpointSlice'))
    const [endpoint] = (await readNew(`${path('v1')}/it`)).json.endpoints
    expect(endpoint).toMatchObject({
      nodeName: 'node-1',
      zone: 'a',
      deprecatedTopology: { rack: '7' },
    })
  })

  change('1.25 EndpointSlice', 'deprecated-topology', async () => {
    const { writeOld, writeNew, readNew } = moving('1.24', '1.25')
    await writeOld(path('v1beta1'), sample('discovery.k8s.io/v1beta1', 'EndpointSlice'))
    const { json } = await readNew(`${path('v1')}/it`)
    const kept = await writeNew(
      `${path('v1')}/it`,
      { ...json, metadata: { ...json.metadata, labels: { a: 'b' } } },
      'PUT',
    )
    expect(kept.json.endpoints[0].deprecatedTopology).toEqual({ rack: '7' })
    const more = {
      ...kept.json,
      endpoints: [
        ...kept.json.endpoints,
        { addresses: ['10.0.0.9'], deprecatedTopology: { rack: '8' } },
      ],
    }
    const lost = await writeNew(`${path('v1')}/it`, more, 'PUT')
    expect(lost.json.endpoints.map((endpoint: JsonObject) => endpoint.deprecatedTopology)).toEqual([
      undefined,
      undefined,
    ])
  })
})
