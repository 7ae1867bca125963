import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environmentName, SETTING_NAMES } from '../../src/app/settings/config.ts'
import { type ApiNode, openApiNode } from '../api/api-node.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')

let node: ApiNode
let metrics: ReadonlySet<string>
beforeAll(async () => {
  node = await openApiNode()
  const { text } = await node.ask('GET', '/metrics')
  metrics = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name, type]) => [
      name ?? '',
      ...(type === 'histogram' ? [`${name}_bucket`] : []),
    ]),
  )
})
afterAll(() => node.close())

describe('what watches a node', () => {
  it.each(['monitoring/grafana-dashboard.json', 'monitoring/alerts.yml'])(
    '%s names only figures that there are',
    (file) => {
      const names = new Set([...read(file).matchAll(/\bheadwater_\w+/g)].map(([name]) => name))
      expect(names.size).toBeGreaterThan(6)
      expect([...names].filter((name) => !metrics.has(name))).toEqual([])
    },
  )
})

describe('settings that files of deploy/ give', () => {
  const known = new Set([...SETTING_NAMES.map(environmentName), 'HEADWATER_STORE', 'HEADWATER_OWNER_PASSWORD'])
  const files = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(yml|yaml)$|file$|env$/.test(name),
  )
  it.each(files)('%s', (file) => {
    const names = [...read(file).matchAll(/\b(HEADWATER_[A-Z_]+)\b(?=[:=])/g)].map(([, name]) => name ?? '')
    expect(names.filter((name) => !known.has(name) && name !== 'HEADWATER_HOSTNAME')).toEqual([])
  })
})

/** Python's parser is not ours; where it is missing, only the names above are looked at. */
const hasYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0
if (!hasYaml) console.warn('Skipped, python3-yaml is missing: whether files of deploy/ are YAML')

describe.runIf(hasYaml)('the documents of deploy/', () => {
  const parse = (file: string) => {
    const program = 'import sys, yaml, json; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))'
    return JSON.parse(spawnSync('python3', ['-c', program, join(DEPLOY, file)], { encoding: 'utf8' }).stdout)
  }
  it.each(['embedded', 'postgres', 'caddy'])(
    'compose/%s.yml: nothing runs as root, writes its root or gains rights',
    (name) => {
      const [{ services }] = parse(`compose/${name}.yml`)
      const ours = Object.values(services).filter((one) => (one as { image: string }).image === 'headwater')
      expect(ours.length).toBeGreaterThan(0)
      for (const one of ours)
        expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    },
  )
  it.each(['api', 'crawler', 'matcher'])(
    'kubernetes/%s.yaml: probes, budget of disruptions, secrets by reference',
    (role) => {
      const [deployment, budget] = parse(`kubernetes/${role}.yaml`)
      const [container] = deployment.spec.template.spec.containers
      expect(container.livenessProbe).toBeDefined()
      expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
      expect(container.env[0].valueFrom.secretKeyRef).toEqual({ name: 'headwater', key: 'store' })
      expect(budget).toMatchObject({ kind: 'PodDisruptionBudget', spec: { minAvailable: 1 } })
      expect(budget.spec.selector).toEqual(deployment.spec.selector)
    },
  )
  it('kubernetes/kustomization.yaml names files that are there', () => {
    const [{ resources }] = parse('kubernetes/kustomization.yaml')
    expect(readdirSync(join(DEPLOY, 'kubernetes'))).toEqual(expect.arrayContaining(resources))
  })
})

it('the unit tells systemd when it is ready and lives, and starts what the package installs', () => {
  const unit = read('systemd/headwater.service')
  for (const line of [
    'Type=notify',
    'NotifyAccess=all',
    'WatchdogSec=2min',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
  ])
    expect(unit.split('\n')).toContain(line)
  expect(unit).toContain('/usr/lib/headwater/dist/bin/headwater.js serve --data /var/lib/headwater')
  expect(read('debian/build-deb.sh')).toContain('"$root/usr/lib/headwater')
})
