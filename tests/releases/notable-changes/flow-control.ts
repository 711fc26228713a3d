import { describe, expect } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'
import { sampleOf } from '../samples'

import { change, moving } from './change'

const FLOW = '/apis/flowcontrol.apiserver.k8s.io'
const level = (version: string, limited: JsonObject) => ({
  ...sampleOf(`flowcontrol.apiserver.k8s.io/${version}`, 'PriorityLevelConfiguration'),
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limited } },
})

describe('flow control', () => {
  change('1.32 FlowSchema, PriorityLevelConfiguration', 'zero-shares', async () => {
    const { writeOld, readOld, writeNew, readNew } = moving('1.31', '1.32')
    const unsaid = await writeOld(
      `${FLOW}/v1beta3/prioritylevelconfigurations`,
      level('v1beta3', {}),
    )
    expect(unsaid.json.spec.limited.nominalConcurrencyShares).toBe(30)
    const zero = {
      ...level('v1beta3', { nominalConcurrencyShares: 0 }),
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    }
    zero.metadata = { name: 'none' }
    expect(
      (await writeNew(`${FLOW}/v1/prioritylevelconfigurations`, zero)).json.spec.limited
        .nominalConcurrencyShares,
    ).toBe(0)
    const old = await readOld(`${FLOW}/v1beta3/prioritylevelconfigurations/none`)
    expect(old.json.metadata.annotations).toEqual({
      'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '',
    })
    await writeOld(`${FLOW}/v1beta3/prioritylevelconfigurations/none`, old.json, 'PUT')
    const young = await readNew(`${FLOW}/v1/prioritylevelconfigurations/none`)
    expect(young.json.spec.limited.nominalConcurrencyShares).toBe(0)
  })

  change('1.29 FlowSchema, PriorityLevelConfiguration', 'shares-renamed', async () => {
    const { writeOld, readNew } = moving('1.28', '1.29')
    await writeOld(
      `${FLOW}/v1beta2/prioritylevelconfigurations`,
      level('v1beta2', { assuredConcurrencyShares: 7 }),
    )
    for (const version of ['v1', 'v1beta3']) {
      const { json } = await readNew(`${FLOW}/${version}/prioritylevelconfigurations/it`)
      expect(json.spec.limited).toMatchObject({ nominalConcurrencyShares: 7 })
      expect(json.spec.limited).not.toHaveProperty('assuredConcurrencyShares')
    }
  })

  change('1.29 FlowSchema, PriorityLevelConfiguration', 'zero-shares', async () => {
    const { writeOld, readNew } = moving('1.28', '1.29')
    const made = await writeOld(`${FLOW}/v1beta2/prioritylevelconfigurations`, level('v1beta2', {}))
    expect(made.json.spec.limited.assuredConcurrencyShares).toBe(30)
    expect(
      (await readNew(`${FLOW}/v1/prioritylevelconfigurations/it`)).json.spec.limited
        .nominalConcurrencyShares,
    ).toBe(30)
  })
})
