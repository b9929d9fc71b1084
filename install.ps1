<#
Installs sage for this user: fetches the release for this machine, compares its SHA-256 with the published
sums, and puts the program into %LOCALAPPDATA%\Programs\sage.

  irm <address>/install.ps1 | iex
  & ([scriptblock]::Create((irm <address>/install.ps1))) -Dir C:\tools\sage

Adds that folder to this user's PATH where it is missing, and changes nothing else.
#>
param([string]$Dir = $env:SAGE_INSTALL_DIR)

# Where the release lies; filled in by scripts/release.ts.
$release_url = ''

function Install-Sage {
  param([string]$Dir)
  Set-StrictMode -Version 2
  $ErrorActionPreference = 'Stop'
  # Not in every session of Windows PowerShell.
  Add-Type -AssemblyName System.IO.Compression.FileSystem
  $isWindowsHere = [Environment]::OSVersion.Platform -eq 'Win32NT'

  # Invoke-WebRequest takes brackets in the name of a folder for a pattern, as -Path of all cmdlets does.
  function Save-Release([string]$Name, [string]$To) {
    try { (New-Object Net.WebClient).DownloadFile("$url/$Name", $To) }
    catch { Stop-Install "Cannot fetch $url/${Name}: $($_.Exception.GetBaseException().Message)" 'nothing was installed' }
  }
  function Stop-Install([string]$Message, [string]$Hint) {
    throw "sage: $Message" + $(if ($Hint) { "`n  $Hint" } else { '' })
  }

  $url = if ($env:SAGE_RELEASE_URL) { $env:SAGE_RELEASE_URL } else { $release_url }
  $url = $url.TrimEnd('/')
  if (-not $url) { Stop-Install 'This script was not made for a release' '$env:SAGE_RELEASE_URL names one' }
  if ($url -notmatch '^https://.' -and
    $url -notmatch '^http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/|$)') {
    Stop-Install "Only https is trusted: $url"
  }
  if (-not $isWindowsHere) { Stop-Install 'This script is for Windows' 'elsewhere use install.sh' }
  $machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  # ARM64 runs x64 programs.
  if ($machine -notin 'AMD64', 'ARM64') { Stop-Install "There is no sage for $machine" }
  $target = 'x86_64-pc-windows-msvc'
  if (-not $Dir) { $Dir = Join-Path $env:LOCALAPPDATA 'Programs\sage' }
  # It goes into the PATH, where a relative one would mean another folder in each.
  $Dir = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Dir)

  # Windows PowerShell 5.1 still begins with TLS 1.0.
  [Net.ServicePointManager]::SecurityProtocol =
    [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  $work = Join-Path ([IO.Path]::GetTempPath()) ('sage-install-' + [Guid]::NewGuid())
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    $sums = Join-Path $work 'SHA256SUMS'
    Save-Release 'SHA256SUMS' $sums
    $lines = @(Get-Content -LiteralPath $sums |
      Where-Object { $_ -cmatch "^[0-9a-f]{64}  sage-[0-9A-Za-z.-]*-$target\.zip$" })
    if ($lines.Count -ne 1) { Stop-Install "Nothing is published for $target" "$url/SHA256SUMS lists what is" }
    $wanted, $name = $lines[0] -split '  ', 2

    Write-Host "Fetching $name"
    $archive = Join-Path $work $name
    Save-Release $name $archive
    $found = (Get-FileHash -Algorithm SHA256 -LiteralPath $archive).Hash.ToLowerInvariant()
    if ($found -cne $wanted) {
      Stop-Install "$name is not what was published: SHA-256 $found, wanted $wanted" 'nothing was installed'
    }
    $new = Join-Path $work 'new'
    [IO.Compression.ZipFile]::ExtractToDirectory($archive, $new)
    $program = Join-Path $new 'sage.exe'
    # What is no program for this machine throws, and leaves no exit code.
    $said = @(try { & $program --version } catch { })
    if ($said.Count -eq 0 -or $LASTEXITCODE -ne 0) {
      Stop-Install 'The program does not run on this machine' 'nothing was installed'
    }

    $place = Join-Path $Dir 'sage.exe'
    # Others have programs of this name. One of ours that is torn says nothing, and has its data beside it.
    if ((Test-Path -LiteralPath $place) -and
      -not (Get-ChildItem -LiteralPath $Dir -Filter 'sage-*.assets') -and
      "$(try { & $place --version } catch { })" -notmatch '^sage \d') {
      Stop-Install "$place is another program" 'move it away, or choose another folder: -Dir <folder>'
    }
    try {
      New-Item -ItemType Directory -Force -Path $Dir | Out-Null
      # It names its content. What is whole stays: a program that runs may be reading it.
      foreach ($data in Get-ChildItem -LiteralPath $new -Filter 'sage-*.assets') {
        $there = Join-Path $Dir $data.Name
        if (-not (Test-Path -LiteralPath $there) -or
          (Get-FileHash -LiteralPath $there).Hash -ne (Get-FileHash -LiteralPath $data.FullName).Hash) {
          Copy-Item -LiteralPath $data.FullName -Destination $there -Force
        }
      }
      Copy-Item -LiteralPath $program -Destination "$place.new" -Force
      # A program that runs cannot be replaced, but it can be renamed; so can the one before it.
      $aside = Join-Path $Dir '.sage-update'
      Remove-Item -LiteralPath "$place.old" -ErrorAction SilentlyContinue
      if (Test-Path -LiteralPath "$place.old") {
        New-Item -ItemType Directory -Force -Path $aside | Out-Null
        Move-Item -LiteralPath "$place.old" -Destination (Join-Path $aside "$([Guid]::NewGuid()).old")
      }
      if (Test-Path -LiteralPath $place) { Move-Item -LiteralPath $place -Destination "$place.old" }
      Move-Item -LiteralPath "$place.new" -Destination $place
      # Also what an update kept, what ran the last time, and data of programs that are no more.
      $older = @("$place.old", (Join-Path $Dir 'sage.previous.exe')) +
        @(Get-ChildItem -LiteralPath $aside -Filter '*.old' -ErrorAction SilentlyContinue |
          ForEach-Object { $_.FullName }) +
        @(Get-ChildItem -LiteralPath $Dir -Filter 'sage-*.assets' | Where-Object {
          $_.Name -cmatch '^sage-[0-9a-f]{8}\.assets$' -and
          -not (Test-Path -LiteralPath (Join-Path $new $_.Name))
        } | ForEach-Object { $_.FullName })
      $older | ForEach-Object { Remove-Item -LiteralPath $_ -ErrorAction SilentlyContinue }
      # Only where nothing is left in it.
      try { [IO.Directory]::Delete($aside) } catch { }
    } catch {
      $reason = $_.Exception.Message
      if ((Test-Path -LiteralPath "$place.old") -and -not (Test-Path -LiteralPath $place)) {
        Move-Item -LiteralPath "$place.old" -Destination $place
      }
      Stop-Install "Cannot write ${Dir}: $reason" 'choose another folder: -Dir <folder>'
    }

    Write-Host "Installed $($said[0]): $place"
    # As it is written, so that what names other variables in it goes on naming them.
    $path = (Get-Item 'HKCU:\Environment').GetValue('Path', '', 'DoNotExpandEnvironmentNames')
    if (@($path -split ';') -notcontains $Dir) {
      $path = "$path;$Dir".TrimStart(';')
      New-ItemProperty 'HKCU:\Environment' Path -Value $path -PropertyType ExpandString -Force | Out-Null
      # Tells running programs that the environment changed.
      [Environment]::SetEnvironmentVariable('SAGE_INSTALL', $null, 'User')
      $env:Path += ";$Dir"
      Write-Host "  added $Dir to your PATH; other terminals know it once they are opened again"
    }
    Write-Host 'Next: sage init, in a project; sage install claude-code. sage uninstall --all takes out what it made.'
  } finally {
    Remove-Item -Recurse -Force -LiteralPath $work -ErrorAction SilentlyContinue
  }
}

Install-Sage -Dir $Dir
