/** Commands that copy the last request in another form. */
import type { Command } from '../../commands/registry'
import { copyText } from '../../components/copy'
import { requestLog } from '../../state/requests'
import { notify } from '../../state/view'
import { FORMS } from './forms'

function copyLast({ format, what }: (typeof FORMS)[number]): void {
  const last = requestLog().findLast(({ origin }) => origin === 'action')
  if (last) void copyText(format(last), what)
  else notify('No requests yet: do something first', 'bad')
}

export const COPY_COMMANDS: Command[] = FORMS.map((form) => ({
  id: `copy-${form.title}`,
  title: `Copy the last request as ${form.title}`,
  group: 'Cluster',
  run: () => copyLast(form),
}))
