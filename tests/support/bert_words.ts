/** Common words of this project's own prose: the vocabulary of models that tests make. */
export const WORDS: readonly string[] = `
about absent acknowledged after again agent agents all alone also always and answered
answers any anyone anywhere architecture archive are ask asked asking assemblyscript author
back base becomes before begin below bench beneath beside between bin binary blocked blocks
boundary breaks brings budget builds built but byte bytes cache call calls came can canaries
canary candidates cannot captured cascade change changed changelog changing cheap checkpoint
checkpoints choose chunks claude clean clear cli clock code codes coding comes coming
command commands comments compaction compares compiled completions config confinement
conflict console content context contributing copied core count counts crash crashed crashes
cut cycles daemon damage damaged data database date dated dead deadline dear debug decided
decision decisions deep delete deleted deno derived describes detect devices disk disks
disposable dist docs does don done door draft dry each edit editor edits else embed emits
empty end ended ends entry equals errno errors event every everything everywhere exact
executable exists exit expects explained ext extract extractive failed failing fails failure
faults fenced few file files finished finishes first five floor floors folder for foreign
forget format formats four from front frozen fsync full generated git gives goes guard half
handler handoff happened happens has held help here history holder holds home hook hookinput
hooks hostile how ids image import imports incremental index indexed inert inflection init
inode inside install instruction into invariants its itself joins journeys json keep keeps
kernel kill killed kills kinds know knowledge knows last leaves licence life limits line
lines link list listed lists literal litter lives living load loaded loads local lock locks
long look looks loop lose lost machine made main mains markdown matter may mcp meaning
memory message milliseconds mit model modules moment more most mostly move must names native
need needs network never new next nine nobody node not note notes nothing noun now npx
numeric old once one only open opened operations orientation other others out outside over
overwrites own package packages packs pairs paths patterns payloads pending people
permission person places plain plays point pointers points postings power prepared price
printing prints priority private process processes program project projects promise promised
promises prompt protocol proven proves pure query questions quiet quoted rank ranked ranking
rarely rather reached read reader reads real rebuilt recall recalled recovery redacted
reference references refused refuses registers reindex reliability remounted remove removes
rename renames repaired replace replaced repository rest rests right room rooms root rounds
run runs sage sageignore same save saves say says scan scope score scores scratch scripts
search second secrets sections security sees server serves session sessions setting settings
share shared shell short shown shows six size skipped somebody source sources src start
started starts state static status stay stays stdio stdout step stop stopped store stored
stores storm strace strings subset surface survives sync system table takes task temporary
ten test tests text than that the their them then there they things thinking those threshold
through time times title todos tokens told tools topics touch trace transcript transcripts
trash tried trigger trim trust truth try tuning turn turning turns type ulimit unasked
unchanged under uninstall until updates use usually value vectors verb verbose version want
was wasm watches way were what whatever when where which while who whole why win window with
within without words work would write writers writes writing wrote yaml you your yours
`.trim().split(/\s+/);
