/** Conversations in German, Spanish and French with points in them. */
import type { Conversation } from "../conversation.ts";

export const POINTS_OTHER_LANGUAGES: readonly Conversation[] = [
  {
    name: "der nächtliche Abgleich",
    language: "de",
    steps: [
      {
        prompt: "Unser Lagerabgleich mit dem Versanddienstleister läuft jede Nacht und ist seit zwei Wochen morgens um sieben noch nicht fertig. Schau dir bitte an, woran das liegt. Das Protokoll liegt in logs/abgleich.",
        answer: "Ich habe die Protokolle der letzten zwanzig Nächte verglichen. Bis zum 9. dauerte der Lauf zwischen 48 und 55 Minuten, seit dem 10. über sieben Stunden. Die Zahl der Artikel ist mit rund 61.000 gleich geblieben. Die Zeit geht fast ganz in den Schritt, der je Artikel den Bestand beim Dienstleister abfragt. Hat sich am 10. auf unserer oder auf deren Seite etwas geändert?",
        tools: [{ run: "ls logs/abgleich", out: "2026-01-22.log" }, { run: "grep -c artikel logs/abgleich/*", out: "61204" }],
      },
      {
        prompt: "Bei uns gab es am 9. abends ein Release, aber nichts am Abgleich. Bei denen weiß ich es nicht.",
        answer: "Das Release vom 9. hat den HTTP-Client der ganzen Anwendung auf eine neue Hauptversion gehoben. Der Abgleich nutzt ihn, ohne selbst geändert worden zu sein. Eine einzelne Abfrage dauert heute 420 Millisekunden, früher waren es 45. Ist das die Antwortzeit des Dienstleisters, oder entsteht sie bei uns?",
        tools: [{ run: "git log --since=2026-01-08 --oneline", out: "c41f0aa HTTP-Client 5.0" }],
      },
      {
        prompt: "Kannst du das auseinanderhalten?",
        answer: "Ja, mit einer Aufzeichnung der Verbindungen. Von den 420 ms sind 38 ms Antwortzeit, der Rest ist Verbindungsaufbau: DNS, TCP und TLS, und zwar bei jeder Abfrage neu. Wird die Verbindung auch mit dem alten Client nach jeder Abfrage geschlossen? Das prüfe ich als Nächstes.",
        tools: [{ run: "curl -w '%{time_connect} %{time_starttransfer}' https://api.versand.example", out: "0.381 0.419" }],
      },
      {
        prompt: "Und?",
        answer: "Damit ist es klar. Der alte Client hielt Verbindungen von sich aus offen, der neue tut es nur, wenn man ihm einen gemeinsamen Agenten übergibt. Der Abgleich erzeugt den Client in der Schleife, je Artikel einmal, also gab es nie etwas zu teilen. 61.000 Verbindungen zu je 380 ms sind sechseinhalb Stunden, das entspricht genau der Differenz. Mit einem Client vor der Schleife und acht Verbindungen dauerte ein Probelauf mit 5.000 Artikeln 31 Sekunden, der ganze Abgleich wird also etwa sechs Minuten brauchen. Der Dienstleister hat mit alldem nichts zu tun.",
        tools: [{ tool: "Edit", file: "abgleich/bestand.ts" }, { run: "npm run abgleich -- --max 5000", out: "5000 Artikel in 31 s" }],
        label: "synthesis",
      },
      {
        prompt: "Sehr schön. Bitte einchecken und den Client auch in den beiden anderen Schleifen herausziehen.",
        answer: "Die beiden anderen Stellen, Retouren und Preise, sind ebenso geändert und zusammen eingecheckt. Die Tests laufen durch.",
        tools: [{ tool: "Edit", file: "abgleich/retouren.ts" }, { run: "npm test", out: "Tests: 88 passed, 88 total" }, { run: "git commit -am 'Client wiederverwenden'", out: "[main 5d20c1e] Client wiederverwenden" }],
      },
    ],
  },
  {
    name: "Formulare, dann die Heizung",
    language: "de",
    steps: [
      {
        prompt: "Wir stellen das Antragsformular der Gemeinde auf barrierefrei um. Welche Felder machen Vorleseprogrammen Schwierigkeiten?",
        answer: "Drei Stellen fallen auf. Das Geburtsdatum besteht aus drei einzelnen Listen ohne gemeinsame Beschriftung; ein Vorleseprogramm sagt dreimal „Auswahl“. Die Pflichtfelder sind nur durch rote Farbe gekennzeichnet. Und die Fehlermeldungen stehen gesammelt oben auf der Seite, ohne dass das Feld darauf verweist. Der Rest ist ordentlich ausgezeichnet, auch die Reihenfolge beim Springen mit der Tabulatortaste stimmt.",
      },
      {
        prompt: "Mach aus dem Datum ein einziges Feld.",
        answer: "Das Datum ist nun ein Textfeld mit dem Hinweis „Tag.Monat.Jahr, zum Beispiel 24.12.1980“, der mit dem Feld verknüpft ist. Es nimmt auch zweistellige Jahre und Leerzeichen an und schreibt das Ergebnis in der üblichen Form zurück. Einen Kalender habe ich weggelassen: Für ein Geburtsdatum blättert niemand achtzig Jahre zurück.",
        tools: [{ tool: "Edit", file: "formular/person.html" }],
      },
      {
        prompt: "Und die Fehlermeldungen?",
        answer: "Jede Meldung steht jetzt unter ihrem Feld und ist mit `aria-describedby` verbunden. Oben bleibt eine Liste mit Sprungmarken, die nach dem Absenden den Fokus bekommt. Pflichtfelder tragen das Wort „erforderlich“ in der Beschriftung. Mit zwei Vorleseprogrammen ausprobiert, wird beides angesagt.",
        tools: [{ tool: "Edit", file: "formular/fehler.ts" }, { run: "npx pa11y formular/index.html", out: "No issues found!" }],
      },
      {
        prompt: "Prima, das Formular ist damit fertig. Jetzt zu etwas anderem: Im Rathaus soll die Gasheizung ersetzt werden, und ich muss dem Rat erklären, was eine Wärmepumpe in einem Altbau von 1911 bringt. Was muss ich wissen?",
        answer: "Entscheidend ist die Vorlauftemperatur, die das Gebäude am kältesten Tag braucht. Eine Wärmepumpe arbeitet gut bis etwa 55 Grad; ein Altbau mit großen Gussheizkörpern kommt damit oft aus, weil diese früher für Schwerkraftbetrieb bemessen wurden. Dann die Heizlast: bei 1.400 Quadratmetern und ungedämmten Wänden vermutlich um die 110 Kilowatt. Beides lässt sich im Winter mit der alten Anlage messen, indem man den Vorlauf absenkt, bis jemand friert.",
        label: "topic_shift",
      },
      {
        prompt: "Im Ratssaal wird es jetzt schon kaum warm. Heißt das, es geht nicht?",
        answer: "Nicht unbedingt. Meist liegt das an der Verteilung: Ohne hydraulischen Abgleich bekommen die Heizkörper nahe am Kessel zu viel Wasser und die entfernten zu wenig. Ein Saal mit 6 Meter Höhe hat außerdem die warme Luft unter der Decke. Ein Abgleich und zwei langsame Deckenlüfter kosten wenig und zeigen, ob die Heizkörper dort zu klein sind.",
      },
      {
        prompt: "Mit welchen Stromkosten muss der Rat rechnen?",
        answer: "Bei einem Verbrauch von 190.000 Kilowattstunden Gas und einer Jahresarbeitszahl von 3,1 sind es rund 58.000 Kilowattstunden Strom. Zu 26 Cent ergibt das 15.000 Euro im Jahr, das Gas kostet derzeit 20.900 Euro. Die Arbeitszahl ist die Größe, an der alles hängt; unter 2,3 wäre Strom teurer als Gas.",
      },
    ],
  },
  {
    name: "el mapa de rutas",
    language: "es",
    steps: [
      {
        prompt: "Tenemos una aplicación para ciclistas y queremos que las rutas se puedan ver sin conexión. Ahora mismo usamos los mapas de un proveedor con clave de API. Mira cómo están integrados, por favor.",
        answer: "El mapa se carga en `mapa.ts` con la biblioteca del proveedor. Las teselas se piden según el usuario se mueve y el navegador las guarda unas horas en su caché. Una ruta media de 60 km ocupa unas 900 teselas hasta el nivel 15, unos 14 MB. Técnicamente bastaría con pedirlas por adelantado y guardarlas en el almacenamiento de la aplicación.",
        tools: [{ tool: "Read", file: "src/mapa.ts" }],
      },
      {
        prompt: "Hazlo así: un botón «descargar ruta» que guarde las teselas del corredor.",
        answer: "He escrito la función que calcula las teselas a 500 metros a cada lado de la ruta y las pide de seis en seis. La barra de progreso está en el botón. En la prueba con la ruta de Girona se guardaron 912 teselas en 40 segundos y el mapa se vio entero en modo avión.",
        tools: [{ tool: "Edit", file: "src/descarga.ts" }, { run: "npm test", out: "Tests: 61 passed, 61 total" }],
      },
      {
        prompt: "Perfecto. Antes de publicarlo, ¿hay algo en los términos del proveedor que debamos saber?",
        answer: "Sí, y es grave para este plan. Los términos prohíben expresamente guardar teselas más allá de la caché del navegador: la sección 3.2 excluye «la descarga previa o masiva» en todos los planes, también en el de empresa, y permite cerrar la cuenta sin aviso. No es una cuestión de precio ni de volumen. Con este proveedor el modo sin conexión no se puede ofrecer, hagamos lo que hagamos en el código. La función tiene que quedarse fuera o el mapa tiene que venir de otro sitio.",
        tools: [{ run: "curl -s https://mapas.example/terminos", out: "3.2 No se permite la descarga previa" }],
        label: "constraint_discovered",
      },
      {
        prompt: "Vaya. ¿Qué alternativas hay?",
        answer: "Veo dos que sirven para nosotros:\n\n- **Datos de OpenStreetMap con teselas vectoriales propias**: la licencia permite guardarlas, solo pide citar la fuente. España entera ocupa 1,9 GB en un archivo. El inconveniente es que hay que generarlo cada mes y diseñar el estilo, calculo ocho días de trabajo.\n- **Otro proveedor que vende el uso sin conexión**: se integra en dos días y el estilo ya está hecho, pero cuesta 0,50 € por usuario activo al mes, y con 30.000 usuarios son 15.000 € mensuales.",
        label: "branch_point",
      },
      {
        prompt: "¿Cuánto costaría servir ese archivo de 1,9 GB?",
        answer: "Casi nada: los clientes piden solo los trozos que necesitan, con peticiones de rango. Con 30.000 usuarios y dos rutas al mes cada uno son unos 400 GB de tráfico, de 10 a 20 euros según el alojamiento. El archivo se genera en una hora en una máquina de 32 GB.",
      },
      {
        prompt: "Entonces elegimos OpenStreetMap con teselas propias, porque 15.000 euros al mes no los podemos pagar y ocho días sí.",
        answer: "De acuerdo. Empiezo por generar el archivo de una sola provincia para probar el estilo, cambio la biblioteca por una que lea teselas vectoriales y dejo el corredor de descarga como está, que sirve igual.",
        label: "branch_point",
      },
    ],
  },
  {
    name: "la base qui déborde",
    language: "fr",
    steps: [
      {
        prompt: "La table des mesures de nos capteurs fait 900 Go et les requêtes du tableau de bord mettent plus d'une minute. Regarde le schéma et dis-moi ce que tu en penses.",
        answer: "La table `mesures` a une ligne par capteur et par seconde, avec l'identifiant, l'instant, la valeur et un texte d'unité. L'index porte sur l'identifiant puis l'instant et pèse à lui seul 310 Go. Le tableau de bord demande des moyennes horaires sur un mois : pour vingt capteurs cela fait 52 millions de lignes lues. L'unité répétée à chaque ligne coûte environ 90 Go.",
        tools: [{ run: "psql -c '\\d+ mesures'", out: "mesures | 900 GB" }],
      },
      {
        prompt: "Les gens regardent-ils vraiment les secondes ?",
        answer: "D'après le journal des requêtes des trois derniers mois, 97 % portent sur des heures ou des jours, 2 % sur des minutes. Les secondes ne sont lues que pendant les sept premiers jours, presque toujours après une alarme. Au-delà, une seule personne les a demandées, en novembre, pour un litige avec un client.",
        tools: [{ run: "python journal.py requetes.log", out: "heures 97 %, minutes 2 %, secondes 1 %" }],
      },
      {
        prompt: "Alors qu'est-ce qu'on peut faire ?",
        answer: "Il y a deux voies raisonnables.\n\n**Option A : partitionner par mois et ajouter une table de moyennes horaires.** Rien de nouveau à exploiter, le tableau de bord répond en moins d'une seconde. Inconvénient : les 900 Go restent, et le disque sera plein en septembre.\n\n**Option B : passer à l'extension de séries temporelles.** Compression d'un facteur douze environ, agrégats entretenus tout seuls. En contrepartie il faut migrer 900 Go en une nuit ou en double écriture, et l'hébergeur ne la propose que sur son offre supérieure, 240 euros de plus par mois.\n\nLa première est plus simple, la seconde règle aussi le disque.",
        label: "branch_point",
      },
      {
        prompt: "Combien coûterait simplement plus de disque ?",
        answer: "Chez l'hébergeur 500 Go coûtent 55 euros par mois, et au rythme actuel ils tiennent quatorze mois. Sur deux ans c'est donc moins cher que l'offre supérieure, mais la sauvegarde passe de trois à cinq heures et ne tient plus dans la nuit. Avec l'export des secondes de plus d'un an vers des fichiers compressés, le disque actuel suffirait jusqu'à l'été suivant.",
      },
      {
        prompt: "Nous gardons donc Postgres tel quel avec les partitions et la table horaire plutôt que l'extension, parce que personne ne veut d'une migration de nuit, et on exporte les vieilles secondes.",
        answer: "C'est noté. Je commence par la table horaire, qui profite tout de suite au tableau de bord, puis les partitions mois par mois, enfin l'export des secondes de plus d'un an.",
        label: "branch_point",
      },
      {
        prompt: "Vas-y.",
        answer: "La table `mesures_heure` est remplie pour les trois dernières années et un déclencheur la tient à jour. Le tableau de bord la lit et répond en 0,4 seconde. La première partition, janvier, est créée ; les autres suivront cette nuit.",
        tools: [{ tool: "Write", file: "sql/mesures_heure.sql" }, { run: "psql -f sql/mesures_heure.sql", out: "INSERT 0 525600" }, { run: "git commit -am 'Moyennes horaires'", out: "[main 3b1190f] Moyennes horaires" }],
      },
    ],
  },
];
