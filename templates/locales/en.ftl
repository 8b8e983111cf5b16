### Sentences for readers. One file per language; the same keys and variables in each.

## errors: files

error-cannot-write = Cannot write { $path }: { $why }. Free some space or choose another folder with --out, then run the same command again; what is finished is kept.
error-cannot-read = Cannot read { $path }: { $why }.
error-not-json = { $path } is damaged or not a run record ({ $why }). Use the run.json of a finished run.
error-not-a-run = { $path } is not a run record of this program. Use the run.json of a finished run.
error-run-too-new = { $path } was written by a newer program (schema { $found }, this one reads up to { $known }). Update llama-release-bot.
error-bad-record = { $path } does not fit a run record at { $where }: { $why }.

## errors: configuration

## errors: upstream

## errors: build

## errors: bench

## errors: command line

## progress

## report
