import { copyText } from '../../components/copy'
import { Icon } from '../../components/Icon'
import { Menu } from '../../components/Menu'
import type { KubectlRequest } from './equivalents'
import { FORMS } from './forms'
import * as texts from './shell-texts'

export function CopyAs({
  request,
  label = texts.copy,
}: {
  request: KubectlRequest
  label?: string
}) {
  return (
    <Menu
      label={label}
      className="button quiet icon-only small"
      face={<Icon name="copy" size={14} />}
      items={FORMS.map(({ title, format, what }) => ({
        title: texts.copyAs(title),
        run: () => void copyText(format(request), what),
      }))}
    />
  )
}
