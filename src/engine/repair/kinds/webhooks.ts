/** Repairs of failed calls of webhooks. A denial is the webhook's decision. */
import { MEDIA_TYPE } from '../../core/names'
import { isJsonObject } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import { ADMISSION_REGISTRATION } from '../denials'
import type { RepairKind } from '../repair'

export const ignoreWebhookFailure: RepairKind = {
  name: 'IgnoreWebhookFailure',
  async candidates({ grounds, read }) {
    if (grounds?.by !== 'webhook call') return []
    const { resource, configuration, webhook } = grounds
    const path = `${ADMISSION_REGISTRATION}/${resource}/${configuration}`
    const stored = await read(path)
    const webhooks = Array.isArray(stored?.webhooks) ? stored.webhooks.filter(isJsonObject) : []
    if (!webhooks.some(({ name }) => name === webhook)) return []
    return [
      {
        title: `Ignore failures of webhook ${goQuote(webhook)}`,
        writes: [
          {
            method: 'PATCH',
            path,
            contentType: MEDIA_TYPE.strategicMergePatch,
            body: { webhooks: [{ name: webhook, failurePolicy: 'Ignore' }] },
          },
        ],
      },
    ]
  },
}
