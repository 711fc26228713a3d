/** The command that most users type, against the headless server; only where it is installed. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { DEFAULT_RELEASE, identityOf } from '../../src/engine/releases/release'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { findKubectl, kubectl } from './kubectl'

const program = findKubectl()
const namespace = 'terminal'

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: nginx:1.27
        ports:
        - containerPort: 80
`

if (program === undefined) it.skip('kubectl not installed: not run')
else {
  describe('kubectl', () => {
    const home = mkdtempSync(join(tmpdir(), 'kubetab-kubectl-'))
    const { run, output } = kubectl(program, { kubeconfig: inject('kubeconfig'), namespace, home })

    beforeAll(async () => {
      await output(['create', 'namespace', namespace])
    })
    afterAll(() => rmSync(home, { recursive: true }))

    it('prints the versions', async () => {
      expect(await output(['version'])).toContain(
        `Server Version: ${identityOf(DEFAULT_RELEASE).git}\n`,
      )
    })

    it('lists what is served', async () => {
      const table = await output(['api-resources'])
      expect(table).toMatch(/^pods +po +v1 +true +Pod$/m)
      expect(table).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m)
      expect(await output(['api-versions'])).toMatch(/^rbac\.authorization\.k8s\.io\/v1$/m)
    })

    it('explains fields', async () => {
      const text = await output(['explain', 'deployment.spec.replicas'])
      expect(text).toMatch(/FIELD: replicas <integer>/)
    })

    it('creates, gets and deletes by short commands', async () => {
      expect(await output(['create', 'configmap', 'settings', '--from-literal=color=blue'])).toBe(
        'configmap/settings created\n',
      )
      expect((await run(['create', 'configmap', 'settings'])).stderr).toContain(
        'configmaps "settings" already exists',
      )
      expect(await output(['get', 'configmap', 'settings', '-o', 'jsonpath={.data.color}'])).toBe(
        'blue',
      )
      expect(await output(['delete', 'configmap', 'settings'])).toBe(
        'configmap "settings" deleted\n',
      )
      expect((await run(['get', 'configmap', 'settings'])).stderr).toBe(
        'Error from server (NotFound): configmaps "settings" not found\n',
      )
    })

    it.each([
      [['secret', 'generic', 'key', '--from-literal=a=b'], 'secret/key'],
      [
        [
          'secret',
          'docker-registry',
          'pull',
          '--docker-username=u',
          '--docker-password=p',
          '--docker-server=registry.example.org',
        ],
        'secret/pull',
      ],
      [['configmap', 'words', '--from-literal=a=b'], 'configmap/words'],
      [
        ['deployment', 'site', '--image=nginx', '--replicas=2', '--port=80'],
        'deployment.apps/site',
      ],
      [['namespace', 'elsewhere'], 'namespace/elsewhere'],
      [
        ['priorityclass', 'urgent', '--value=1000', '--description=before others'],
        'priorityclass.scheduling.k8s.io/urgent',
      ],
      [
        ['clusterrole', 'watcher', '--verb=get,watch', '--resource=nodes'],
        'clusterrole.rbac.authorization.k8s.io/watcher',
      ],
      [
        ['clusterrole', 'sum', '--aggregation-rule=rbac.example.org/part=true'],
        'clusterrole.rbac.authorization.k8s.io/sum',
      ],
      [
        ['clusterrolebinding', 'watchers', '--clusterrole=view', '--group=team'],
        'clusterrolebinding.rbac.authorization.k8s.io/watchers',
      ],
      [['serviceaccount', 'robot'], 'serviceaccount/robot'],
      [['service', 'clusterip', 'front', '--tcp=80'], 'service/front'],
      [['service', 'nodeport', 'outer', '--tcp=80:8080'], 'service/outer'],
      [['service', 'loadbalancer', 'edge', '--tcp=443'], 'service/edge'],
      [['service', 'externalname', 'other', '--external-name=example.org'], 'service/other'],
      [['job', 'once', '--image=busybox'], 'job.batch/once'],
      [['cronjob', 'nightly', '--image=busybox', '--schedule=0 3 * * *'], 'cronjob.batch/nightly'],
      [['ingress', 'door', '--rule=example.org/*=front:80'], 'ingress.networking.k8s.io/door'],
      [
        ['role', 'reader', '--verb=get,list', '--resource=pods'],
        'role.rbac.authorization.k8s.io/reader',
      ],
      [
        ['rolebinding', 'readers', '--role=reader', '--user=alice'],
        'rolebinding.rbac.authorization.k8s.io/readers',
      ],
      [['quota', 'limit', '--hard=pods=5'], 'resourcequota/limit'],
      [
        ['poddisruptionbudget', 'spare', '--selector=app=web', '--min-available=1'],
        'poddisruptionbudget.policy/spare',
      ],
    ])('creates, shows, describes and deletes: %j', async (args, name) => {
      expect(await output(['create', ...args])).toBe(`${name} created\n`)
      expect(await output(['get', name])).toMatch(/^NAME\s/)
      expect(await output(['describe', name])).toMatch(/^Name:\s/m)
      expect(await output(['get', name, '-o', 'name'])).toBe(`${name}\n`)
      expect(await output(['delete', name])).toMatch(/ deleted\n$/)
    })

    it('creates a secret of a certificate and its key', async () => {
      const { cert, key } = selfSignedCertificate('shop.example.org', Date.now())
      const [certificateFile, keyFile] = [join(home, 'tls.crt'), join(home, 'tls.key')]
      writeFileSync(certificateFile, cert)
      writeFileSync(keyFile, key)
      expect(
        await output([
          'create',
          'secret',
          'tls',
          'shop',
          `--cert=${certificateFile}`,
          `--key=${keyFile}`,
        ]),
      ).toBe('secret/shop created\n')
      expect(await output(['get', 'secret', 'shop', '-o', 'jsonpath={.type}'])).toBe(
        'kubernetes.io/tls',
      )
    })

    describe('with a deployment', () => {
      it('applies it on the client and sees no change the second time', async () => {
        expect(await output(['apply', '-f', '-'], DEPLOYMENT)).toBe('deployment.apps/web created\n')
        expect(await output(['apply', '-f', '-'], DEPLOYMENT)).toBe(
          'deployment.apps/web unchanged\n',
        )
        expect(await output(['apply', '-f', '-'], DEPLOYMENT.replace('1.27', '1.28'))).toBe(
          'deployment.apps/web configured\n',
        )
        expect(
          await output([
            'get',
            'deployment',
            'web',
            '-o',
            'jsonpath={.spec.template.spec.containers[0].image}',
          ]),
        ).toBe('nginx:1.28')
      })

      it('applies it on the server, and hears of conflicts', async () => {
        const conflict = await run(['apply', '--server-side', '--field-manager=other', '-f', '-'], {
          input: DEPLOYMENT,
        })
        expect(conflict.code).toBe(1)
        expect(conflict.stderr).toContain('.spec.template.spec.containers[name="web"].image')
        expect(
          await output(
            ['apply', '--server-side', '--force-conflicts', '--field-manager=other', '-f', '-'],
            DEPLOYMENT,
          ),
        ).toBe('deployment.apps/web serverside-applied\n')
      })

      it('shows what a change would do without doing it', async () => {
        const changed = DEPLOYMENT.replace('replicas: 2', 'replicas: 4')
        const { code, stdout } = await run(['diff', '-f', '-'], { input: changed })
        expect(code).toBe(1)
        expect(stdout).toMatch(/^\+ {2}replicas: 4$/m)
        expect(await output(['apply', '--dry-run=server', '-f', '-'], changed)).toBe(
          'deployment.apps/web configured (server dry run)\n',
        )
        expect(await output(['get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas}'])).toBe(
          '2',
        )
      })

      it('shows it as table, wide table, yaml, json and description', async () => {
        expect(await output(['get', 'deployments'])).toMatch(
          /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/2 +\d +0 +/,
        )
        expect(await output(['get', 'deployments', '-o', 'wide'])).toMatch(
          /CONTAINERS +IMAGES +SELECTOR\n.* web +nginx:1\.27 +app=web/,
        )
        expect(await output(['get', 'deployment', 'web', '-o', 'yaml'])).toMatch(
          /^apiVersion: apps\/v1\nkind: Deployment\n/,
        )
        const { kind, items } = JSON.parse(await output(['get', 'deployments', '-o', 'json'])) as {
          kind: string
          items: { metadata: { name: string } }[]
        }
        expect([kind, items.map(({ metadata }) => metadata.name)]).toEqual(['List', ['web']])
        expect(await output(['describe', 'deployment', 'web'])).toMatch(/^Selector: +app=web$/m)
      })

      it('labels, annotates, scales and patches it', async () => {
        expect(await output(['label', 'deployment', 'web', 'tier=front'])).toBe(
          'deployment.apps/web labeled\n',
        )
        expect((await run(['label', 'deployment', 'web', 'tier=back'])).stderr).toContain(
          '--overwrite is false',
        )
        expect(await output(['annotate', 'deployment', 'web', 'note=hello'])).toBe(
          'deployment.apps/web annotated\n',
        )
        expect(await output(['scale', 'deployment', 'web', '--replicas=3'])).toBe(
          'deployment.apps/web scaled\n',
        )
        expect(await output(['set', 'image', 'deployment/web', 'web=nginx:1.29'])).toBe(
          'deployment.apps/web image updated\n',
        )
        expect(
          await output([
            'patch',
            'deployment',
            'web',
            '--type=json',
            '-p',
            '[{"op":"add","path":"/spec/paused","value":true}]',
          ]),
        ).toBe('deployment.apps/web patched\n')
        expect(
          await output([
            'get',
            'deployment',
            'web',
            '-o',
            'jsonpath={.metadata.labels.tier} {.metadata.annotations.note} {.spec.replicas} {.spec.paused}',
          ]),
        ).toBe('front hello 3 true')
        expect(await output(['get', 'deployments', '-l', 'tier=front', '-o', 'name'])).toBe(
          'deployment.apps/web\n',
        )
      })

      it('edits it in an editor', async () => {
        const editor = join(home, 'editor.sh')
        writeFileSync(editor, '#!/bin/sh\nsed -i "s/replicas: 3/replicas: 5/" "$1"\n')
        chmodSync(editor, 0o755)
        const { stdout, stderr } = await run(['edit', 'deployment', 'web'], {
          environment: { EDITOR: editor },
        })
        expect(stdout + stderr).toBe('deployment.apps/web edited\n')
        expect(await output(['get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas}'])).toBe(
          '5',
        )
      })

      it('waits for a condition in vain', async () => {
        expect(
          (await run(['wait', '--for=condition=Available', 'deployment/web', '--timeout=1s']))
            .stderr,
        ).toContain('timed out waiting for the condition')
      })
    })

    it('watches', async () => {
      await output(['create', 'configmap', 'seen-first'])
      const lines = watch(program, ['get', 'configmaps', '-w', '-o', 'name'], home)
      expect(await lines.next('seen-first')).toBe('configmap/seen-first')
      await output(['create', 'configmap', 'seen-later'])
      expect(await lines.next('seen-later')).toBe('configmap/seen-later')
      lines.stop()
    })

    it('checks permissions', async () => {
      expect(await output(['auth', 'can-i', 'delete', 'pods'])).toBe('yes\n')
      expect(await output(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'])).toBe(
        'admin',
      )
    })

    it('gets a token for a service account and comes with it', async () => {
      await output(['create', 'serviceaccount', 'robot'])
      const token = (await output(['create', 'token', 'robot', '--duration=10m'])).trim()
      const who = [
        'auth',
        'whoami',
        '-o',
        'jsonpath={.status.userInfo.username}',
        `--token=${token}`,
      ]
      expect(await output(who)).toBe(`system:serviceaccount:${namespace}:robot`)
      expect((await run(['get', 'pods', `--token=${token}`])).stderr).toContain(
        `User "system:serviceaccount:${namespace}:robot" cannot list`,
      )
      expect((await run(['create', 'token', 'robot', '--duration=5m'])).stderr).toContain(
        'may not specify a duration less than 10 minutes',
      )
      await output(['delete', 'serviceaccount', 'robot'])
      expect((await run(who)).stderr).toContain('Unauthorized')
    })

    it('reads raw paths', async () => {
      expect(await output(['get', '--raw', '/readyz'])).toBe('ok')
    })

    function watch(path: string, args: string[], folder: string) {
      const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: inject('kubeconfig') }
      const child = execFile(path, ['--namespace', namespace, ...args], { env })
      let received = ''
      let notice = () => {}
      child.stdout?.on('data', (chunk) => {
        received += chunk
        notice()
      })
      return {
        /** The first line that contains the text, now or later. */
        async next(text: string): Promise<string | undefined> {
          for (;;) {
            const line = received.split('\n').find((candidate) => candidate.includes(text))
            if (line !== undefined) return line
            await new Promise<void>((resolve) => {
              notice = resolve
            })
          }
        },
        stop: () => child.kill(),
      }
    }
  })
}
