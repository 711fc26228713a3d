import type { Command } from '../../command'
import { CommandError } from '../../errors'
import { MISSING_RESOURCE } from '../../targets'
import { allContainers, CHANGE_FLAGS, changeObjects, matching, podSpecOf } from './template-change'

export const IMAGE: Command = {
  name: 'image',
  summary: 'Update the image of a pod template',
  usage:
    'set image (-f FILENAME | TYPE NAME) CONTAINER_NAME_1=CONTAINER_IMAGE_1 ... CONTAINER_NAME_N=CONTAINER_IMAGE_N',
  examples: [
    {
      line: 'kubectl set image deployment/web nginx=nginx:1.27',
      about: "Set a deployment's nginx container image to 'nginx:1.27'",
    },
    {
      line: "kubectl set image deployments --all '*=nginx:1.27'",
      about: 'Update the image of all containers of all deployments',
    },
  ],
  completes: 'objects',
  flags: CHANGE_FLAGS,
  async run(context, { args, flags }) {
    const at = args.findIndex((word) => word.includes('='))
    const images =
      at === -1
        ? []
        : args.slice(at).map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string])
    const words = at === -1 ? args : args.slice(0, at)
    if (args.length === 0 && !flags.has('filename')) throw new CommandError(MISSING_RESOURCE)
    if (images.length === 0) throw new CommandError('at least one image update is required')
    return changeObjects(context, words, flags, {
      done: 'image updated',
      failed: 'failed to patch image update to pod template: ',
      silentIfSame: true,
      change: (object, target, failures) => {
        const spec = podSpecOf(object, target)
        for (const [name, image] of images) {
          const found = matching(allContainers(spec), name)
          // Other containers still get their images.
          if (found.length === 0)
            failures.add(new CommandError(`unable to find container named ${JSON.stringify(name)}`))
          for (const container of found) container.image = image
        }
        return true
      },
    })
  },
}
