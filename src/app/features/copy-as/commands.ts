import type { Command } from '../../commands/registry'
import { copyText } from '../../components/copy'
import { requestLog } from '../../state/requests'
import { notify } from '../../state/view'
import { FORMS } from './forms'
import * as texts from './shell-texts'

function copyLast({ format, what }: (typeof FORMS)[number]): void {
  const last = requestLog().findLast(({ origin }) => origin === 'action')
  if (last) void copyText(format(last), what)
  else notify(texts.none, 'bad')
}

export const COPY_COMMANDS: Command[] = FORMS.map((form) => ({
  id: `copy-${form.title}`,
  title: texts.copyLast(form.title),
  group: texts.group,
  run: () => copyLast(form),
}))
