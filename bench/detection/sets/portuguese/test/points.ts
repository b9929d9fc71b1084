/** Portuguese of Portugal and Brazil: a clinic's reminders, sensors in a vineyard, and a talk without a point. */
import type { Conversation } from "../../../conversation.ts";

export const PORTUGUESE_TEST: readonly Conversation[] = [
  {
    name: "os lembretes da clínica",
    language: "pt",
    steps: [
      { prompt: "Boa tarde. A nossa clínica envia lembretes por SMS na véspera da consulta e há doentes a receber dois. Podes ver o que se passa? O código está em lembretes/.", answer: "Li o envio. Às 18 horas procura as consultas do dia seguinte e envia uma mensagem por cada uma. Não guarda o que já enviou. Se o processo correr duas vezes, envia duas vezes. Sabes se isto acontece a todos ou só a alguns?", tools: [{ tool: "Read", file: "lembretes/enviar.py" }] },
      { prompt: "só a alguns, uns 20 por dia em 300", answer: "Então não é o processo que corre duas vezes. Vou comparar os que recebem duas com os outros.", tools: [{ run: "psql -f duplicados.sql", out: "21 linhas" }] },
      { prompt: "e o que têm em comum?", answer: "Os 21 têm duas fichas com o mesmo telemóvel, quase sempre mãe e filho: 19 são consultas de pediatria.", tools: [{ run: "psql -f fichas.sql", out: "pediatria 19, outras 2" }] },
      { prompt: "mas as consultas são da mesma criança...", answer: "Exatamente, e foi por aí que se chegou ao fim. O problema era a junção: a consulta liga à ficha pelo número de telemóvel e não pelo número de utente. Onde mãe e filho partilham o telemóvel, cada consulta aparece duas vezes. Ficou claro também porque são sempre cerca de 20: é o número de crianças marcadas por dia. Em resumo, nem o operador de SMS nem o agendamento têm culpa, e basta ligar pelo número de utente.", tools: [{ run: "psql -c 'select count(*) from consultas c join fichas f on c.tel = f.tel'", out: "321" }], label: "synthesis" },
      { prompt: "Ótimo, corrige.", answer: "Corrigido, com um teste em que mãe e filho partilham o telemóvel.", tools: [{ tool: "Edit", file: "lembretes/enviar.py" }, { run: "pytest", out: "31 passed" }, { run: "git commit -am 'Liga pelo utente'", out: "[main 0c1d2ef] Liga pelo utente" }] },
      { prompt: "E podíamos pôr no SMS o nome da especialidade?", answer: "Infelizmente não podemos usar isso: o regulamento da proteção de dados considera a especialidade um dado de saúde, e o contrato com o operador proíbe expressamente dados de saúde em mensagens não cifradas (cláusula 7.2). Não há como o contornar com consentimento, porque o operador não aceita. A especialidade tem de ficar fora do SMS.", label: "constraint_discovered" },
      { prompt: "Está bem, fica só a hora e o médico.", answer: "Fica assim: hora, médico e morada." },
    ],
  },
  {
    name: "sensores na vinha",
    language: "pt",
    steps: [
      { prompt: "tenho 60 sensores de humidade na vinha a mandar leituras por lora de 15 em 15 minutos e quero guardar 10 anos disso. o que recomendas?", answer: "São 60 × 96 leituras por dia, 2,1 milhões por ano, cerca de 200 MB. Qualquer base de dados aguenta isto; a questão é quem a mantém e como se consulta." },
      { prompt: "que alternativas há?", answer: "Temos duas opções que servem:\n\n1. **SQLite num mini PC na adega**: não depende da internet e não custa nada, mas se o disco morrer perde-se tudo o que não foi copiado.\n2. **Uma base gerida na nuvem**: cópias automáticas e painel incluído, 12 euros por mês, mas quando a internet cai há buracos a menos que o gateway guarde.\n\nQual preferes?", label: "branch_point" },
      { prompt: "o gateway guarda quanto?", answer: "Este modelo guarda 48 horas de leituras." },
      { prompt: "ficamos com o sqlite no mini pc, porque a internet aqui cai semanas inteiras no inverno, e fazes uma cópia por noite para o meu nas", answer: "Combinado: SQLite no mini PC e uma cópia por noite para o NAS.", tools: [{ tool: "Write", file: "recolha/guardar.py" }], label: "branch_point" },
      { prompt: "boa", answer: "A recolha está a correr e a primeira cópia chegou ao NAS.", tools: [{ run: "systemctl status recolha", out: "active (running)" }] },
      { prompt: "agora outra coisa: preciso de um rótulo para o vinho novo, com o texto legal. o que é obrigatório?", answer: "Na frente ou no verso têm de estar a denominação, o volume, o teor alcoólico, o lote, o engarrafador, os alergénios e, desde 2023, a lista de ingredientes e a declaração nutricional, que podem ir num código QR.", label: "topic_shift" },
      { prompt: "faz-me o texto do verso em português e inglês", answer: "Está em `rotulo/verso.md`, nas duas línguas, com o QR para os ingredientes.", tools: [{ tool: "Write", file: "rotulo/verso.md" }] },
    ],
  },
  {
    name: "ajustes na planilha",
    language: "pt",
    steps: [
      { prompt: "o script que gera a planilha de frequência tá pondo a data no formato americano", answer: "Agora sai dia/mês/ano.", tools: [{ tool: "Edit", file: "planilha.py" }] },
      { prompt: "e deixa a primeira linha congelada", answer: "Congelada.", tools: [{ tool: "Edit", file: "planilha.py" }] },
      { prompt: "os nomes com acento estão saindo errado", answer: "O arquivo era lido em latin-1. Passei para UTF-8 e os nomes saem certos.", tools: [{ tool: "Edit", file: "planilha.py" }, { run: "python planilha.py", out: "32 alunos" }] },
      { prompt: "isso, agora sim", answer: "Que bom." },
      { prompt: "põe uma coluna com o total de faltas", answer: "A coluna está no fim, com a soma por aluno.", tools: [{ tool: "Edit", file: "planilha.py" }] },
      { prompt: "obrigada!!", answer: "De nada!" },
    ],
  },
];
