### Sentences for readers. One file per language; the same keys and variables in each.

## errors: files

error-cannot-write = 无法写入 { $path }：{ $why }。请腾出空间或用 --out 换一个目录，再执行同一条命令；已完成的部分会保留。
error-cannot-read = 无法读取 { $path }：{ $why }。
error-not-json = { $path } 已损坏，或不是运行记录（{ $why }）。请使用某次运行生成的 run.json。
error-not-a-run = { $path } 不是本程序的运行记录。请使用某次运行生成的 run.json。
error-run-too-new = { $path } 由更新版本的程序写成（schema { $found }，本程序最高支持 { $known }）。请升级 llama-release-bot。
error-bad-record = { $path } 的 { $where } 处不符合运行记录的格式：{ $why }。

## errors: configuration

## errors: upstream

## errors: build

## errors: bench

## errors: command line

## progress

## report
