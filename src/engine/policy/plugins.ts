import type { OtherPlugins } from '../admission/plugins'
import type { PolicyEnvironment } from './environment'
import { mutatingAdmissionPolicy } from './mutation/plugin'
import { validatingAdmissionPolicy } from './plugin'
import { mutatingAdmissionWebhook } from './webhooks/mutating'
import { validatingAdmissionWebhook } from './webhooks/validating'

export const POLICY_PLUGINS: OtherPlugins<PolicyEnvironment> = {
  MutatingAdmissionPolicy: mutatingAdmissionPolicy,
  MutatingAdmissionWebhook: mutatingAdmissionWebhook,
  ValidatingAdmissionPolicy: validatingAdmissionPolicy,
  ValidatingAdmissionWebhook: validatingAdmissionWebhook,
}
