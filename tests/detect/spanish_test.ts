/** Spanish, of Spain and of America: what is decided, open and next, and what only sounds like it. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { nextSteps, openQuestions } from "../../src/detect/open/questions.ts";
import { testRecognised } from "../support/recognised.ts";
import { talk } from "../support/talk.ts";

testRecognised({
  ask: "mira el módulo de pedidos",
  answer: "El módulo lee los pedidos de la tabla y los manda a la pasarela.",
  done: "Listo.",
  goOn: "sigue",
  noted: "Anotado.",
}, {
  decided: [
    "dejemos el caché en memoria, redis es demasiado para esto",
    "no necesitamos kubernetes, con un VPS sobra",
    "ya probamos con graphql el año pasado y fue un desastre",
    "deja el endpoint viejo como está, los clientes móviles lo siguen usando",
    "mantén la v1 hasta que migren los clientes",
    "mejor usá date-fns, moment ya está deprecado",
    "al final vamos con stripe porque paypal cobra mucho",
    "hemos quedado en que el IVA se calcula en el backend",
    "quedamos en usar UTC en la base de datos",
    "acordamos que las facturas se numeran por año",
    "mi jefa pidió que los precios salgan sin IVA porque vendemos a empresas",
    "está prohibido tocar la tabla de pagos",
    "la tabla users no se toca",
    "no me toques el webpack.config.js",
    "no tocar legacy/, lo mantiene otro equipo",
    "ni se te ocurra hacer push sin preguntarme",
    "no agregues dependencias, porque el bundle ya pesa demasiado",
    "nada de lodash en este proyecto, que pesa demasiado",
    "quiero que los capítulos tengan diez páginas cada uno",
    "para la tesis usamos APA 7",
    "ya no usamos npm, ahora es pnpm",
    "pasamos de npm a pnpm",
    "cambiamos mysql por postgres",
    "me decidí por el sofá gris",
    "me quedo con la primera versión del prólogo",
  ],
  wished: [
    "de aquí en más usá camelCase en los json",
    "desde ahora los commits en inglés",
    "los nombres de las ramas van siempre en inglés",
    "odio los comentarios obvios en el código",
    "regla: nada de any",
    "deja de poner emojis en los commits",
    "no quiero emojis en los commits",
  ],
  open: [
    "no estoy seguro de si hace falta la tabla de auditoría",
    "queda abierta la pregunta de si migramos a v5",
    "está por verse si el cliente acepta el presupuesto",
    "ya veremos qué hacemos con los usuarios viejos",
    "todavía estoy pensando si lo hago en rust",
    "no hemos decidido todavía el nombre",
    "tengo que preguntarle a Carlos si podemos cambiar el dominio",
    "estoy esperando a que Ana apruebe el diseño",
    "estamos esperando respuesta del proveedor",
    "hasta que legal no dé el ok no podemos publicar",
    "le escribí al gestor y no me ha contestado",
    "Marta todavía no aprobó los textos",
  ],
  next: [
    "mañana hago la migración de la base",
    "mañana sigo con los tests del login",
    "mañana: migrar la tabla de usuarios",
    "el lunes termino la introducción de la tesis",
    "la próxima semana veo lo del rediseño del menú",
    "reviso el dockerfile el lunes",
    "pendiente para mañana: los tests de integración",
    "dejamos para la semana que viene el rediseño del menú",
    "lo siguiente es arreglar el login",
    "después toca el panel de administración",
    "luego tenemos que migrar la tabla de pedidos",
    "me falta documentar el endpoint de pagos",
    "todavía tengo que escribir las conclusiones",
    "la próxima vez arreglamos el footer",
    "recordame subir el límite de memoria",
  ],
  nothing: [
    "me decidí por mirar el log primero",
    "me quedo con hambre",
    "pasamos de 200 ms a 50",
    "cambiamos el color por error",
    "quiero que el agente sea más rápido en responderme",
    "el problema tiene que ser la caché del navegador",
    "mañana te cuento",
    "mañana: dentista",
    "el lunes empiezo las vacaciones",
    "luego tengo que salir",
    "después queda la pantalla en blanco",
    "todavía tengo que hacer click dos veces para que abra",
    "lo siguiente es un error que me da al compilar",
    "el siguiente paso del wizard no carga",
    "la próxima vez pregunta antes",
    "me falta la variable de entorno",
    "queda abierto el puerto 8080",
    "todavía no sé qué hace este archivo",
    "Stripe todavía no ha confirmado el pago",
    "esperando respuesta del servidor",
    "estoy esperando a que responda el servidor",
    "eso lo decidimos otro día",
    "si decidimos usar redis habrá que pagar",
    "Nadie decidió que el logo va a la izquierda",
    "mi compañero de piso decidió que la cena es a las nueve",
    "no necesitamos ver los logs",
    "ya probamos reiniciar y no funcionó",
    "la decisión es tuya",
    "quedamos en el bar a las diez",
    "mejor usa otra palabra",
    "el botón no se toca bien en móvil",
    "la pantalla no se toca todavía",
    "no me cambies de tema",
    "a partir de ahora va lento",
    "desde ahora la página carga lento",
    "las ramas en inglés no aparecen",
    "no me gustan los comentarios que pusiste",
    "dejamos abierta la terminal",
  ],
});

Deno.test("findDecisions() tells with its question what is declined, or put at another figure, in Spanish", () => {
  const decided = (ask: string, answer: string, said: string): string[] =>
    findDecisions(talk(ask, answer, said, "Listo.")).map(({ text }) => text);
  for (
    const [ask, answer, said] of [
      ["¿deberíamos soportar Internet Explorer?", "Lo usa un 0,3 %.", "ahora no"],
      ["¿añadimos un modo oscuro?", "Serían unas dos horas.", "no, eso para la v2"],
      ["¿hace falta la tabla de auditoría?", "Solo si lo pide la ley.", "mejor no"],
      ["mira el límite", "Está en 500 peticiones por minuto.", "bájalo a 100, 500 es demasiado"],
    ] as const
  ) {
    const told = decided(ask, answer, said);
    assert.equal(told.length, 1, said);
    assert.ok(told[0]?.includes(said), told[0]);
  }
  for (
    const [ask, answer, said] of [
      ["¿deberíamos mirar el log?", "El log está vacío.", "no"],
      ["¿funciona ya?", "Debería.", "todavía no"],
      ["mira el límite", "Está en 500.", "pon 100 logs a ver"],
    ] as const
  ) assert.deepEqual(decided(ask, answer, said), [], said);
});

Deno.test("what an agent leaves open or undone is told, and how something works is not, in Spanish", () => {
  const told = (answer: string): (readonly string[])[] => {
    const turns = talk("añade el endpoint", answer);
    return [
      findDecisions(turns).map(({ text }) => text),
      openQuestions(turns),
      nextSteps(turns, []),
    ];
  };
  for (
    const text of [
      "No he verificado que funcione con usuarios sin plan.",
      "Queda sin resolver por qué el worker se reinicia cada hora.",
      "Falta confirmar si el proveedor acepta reembolsos parciales.",
    ]
  ) assert.deepEqual(told(`He añadido el endpoint. ${text}`), [[], [text], []]);
  for (
    const text of [
      "El siguiente paso es documentarlo en el README.",
      "Falta actualizar la documentación del cliente.",
      "Antes de desplegar hay que ejecutar la migración 042.",
    ]
  ) assert.deepEqual(told(`He añadido el endpoint. ${text}`), [[], [], [text]]);
  for (
    const text of [
      "Elegimos el primer elemento porque la lista ya viene ordenada.",
      "El siguiente paso del bucle es comprobar la condición.",
      "Los precios quedan por encima del límite que marca la tabla.",
      "Ya está todo subido y desplegado en el servidor de pruebas.",
    ]
  ) assert.deepEqual(told(`He añadido el endpoint. ${text}`), [[], [], []]);
});
