/** Brazilian Portuguese: a shop whose stock is wrong, and tickets for a festival; one talk without a point. */
import type { Conversation } from "../../../conversation.ts";

export const PORTUGUESE_DEV: readonly Conversation[] = [
  {
    name: "o estoque que fica negativo",
    language: "pt",
    steps: [
      { prompt: "oi, nosso estoque fica negativo de vez em quando, umas 3x por semana. o código tá em src/estoque, dá uma olhada?", answer: "Li o módulo. A baixa é feita em `baixar()`, que lê a quantidade, subtrai e grava. Não há transação em volta, mas o volume é baixo e duas baixas ao mesmo tempo seriam raras. Vocês têm o horário de algum caso?", tools: [{ tool: "Read", file: "src/estoque/baixar.ts" }] },
      { prompt: "tenho: terça 12:03, quinta 12:01 e sábado 12:04", answer: "Sempre logo depois do meio-dia. Vou ver o que roda nessa hora.", tools: [{ run: "crontab -l", out: "0 12 * * * node jobs/marketplace.js" }] },
      { prompt: "e aí?", answer: "Às 12:00 roda `jobs/marketplace.js`, que importa os pedidos do marketplace e também dá baixa, com uma cópia antiga da função. São 140 pedidos em média, gravados um a um durante quatro minutos.", tools: [{ tool: "Read", file: "jobs/marketplace.js" }, { run: "grep -c pedido logs/marketplace.log", out: "140" }] },
      { prompt: "então qual é o problema afinal?", answer: "A causa é a importação do meio-dia. Ela lê todas as quantidades no começo e grava quatro minutos depois, por cima do que a loja vendeu nesse intervalo. Isso explica os três casos: nos três há uma venda da loja entre 12:00 e 12:04 do mesmo produto, e em nenhum outro horário há diferença. Não é concorrência na loja, e a função `baixar()` sozinha está certa. Se a importação usar um `UPDATE` com subtração em vez de gravar o valor lido, o estoque não fica mais negativo.", tools: [{ run: "psql -c 'select * from movimentos where saldo < 0'", out: "3 linhas" }], label: "synthesis" },
      { prompt: "show, faz isso e commita", answer: "A importação agora subtrai no próprio `UPDATE`. Os testes passam, e escrevi um que vende durante a importação.", tools: [{ tool: "Edit", file: "jobs/marketplace.js" }, { run: "npm test", out: "Tests: 52 passed, 52 total" }, { run: "git commit -am 'Subtract in the update'", out: "[main 91c2d0e] Subtract in the update" }] },
      { prompt: "perfeito, isso tá resolvido. mudando de assunto: a gente quer mandar nota fiscal por whatsapp pro cliente. o que precisa?", answer: "Para enviar documentos por WhatsApp é preciso a API oficial, um número verificado e um modelo de mensagem aprovado. O envio em si é uma chamada com o PDF. Quantas notas por mês vocês emitem?", label: "topic_shift" },
      { prompt: "umas 9 mil", answer: "Então são 9 mil conversas de serviço por mês. Vou ver o preço e os limites da conta." },
      { prompt: "e como dá pra fazer?", answer: "Vejo duas opções:\n\n1. **API oficial direto**: sem intermediário, R$ 0,04 por conversa, uns R$ 360 por mês. Em troca, a gente cuida da fila, dos modelos e dos erros.\n2. **Um provedor como intermediário**: R$ 0,09 por conversa, R$ 810 por mês, mas a fila e o painel já vêm prontos e fica no ar em dois dias.\n\nEu iria de API direto, porque a fila a gente já tem. Qual você prefere?", label: "branch_point" },
      { prompt: "vamos de api direto então, 810 por mês é demais e a fila a gente já tem mesmo", answer: "Certo. Começo pelo modelo da mensagem, que precisa de aprovação.", tools: [{ tool: "Write", file: "src/whatsapp/modelo.ts" }], label: "branch_point" },
      { prompt: "dá pra mandar também pra quem nunca falou com a gente?", answer: "Não é possível. A política do WhatsApp só permite iniciar conversa com quem deu consentimento, e a conta é bloqueada depois de poucas denúncias; a API responde `131050` para quem recusou. Não tem como contornar isso do nosso lado: sem o aceite no checkout, a nota desses clientes continua por email.", tools: [{ run: "curl -XPOST https://graph.example/messages", out: "131050 user opted out", failed: true }], label: "constraint_discovered" },
      { prompt: "blz, então põe a caixinha de aceite no checkout", answer: "Pronto: a caixa está no checkout, desmarcada por padrão, e o aceite é gravado com a data.", tools: [{ tool: "Edit", file: "src/checkout/form.tsx" }, { run: "npm test", out: "Tests: 58 passed, 58 total" }] },
    ],
  },
  {
    name: "ingressos do festival",
    language: "pt",
    steps: [
      { prompt: "a gente vende ingresso de festival e na abertura das vendas o site cai. são 40 mil pessoas ao mesmo tempo. olha a infra em terraform/ e me diz o que dá pra fazer", answer: "A aplicação roda em três máquinas atrás de um balanceador, com um Postgres só. Cada visita da página de setores faz quatro consultas. Com 40 mil pessoas recarregando, são umas 9 mil consultas por segundo, e o banco aguenta 2 mil.", tools: [{ tool: "Read", file: "terraform/main.tf" }] },
      { prompt: "quanto disso é a página de setores?", answer: "94 % das consultas, pelo log da última abertura. O resto é o carrinho e o pagamento.", tools: [{ run: "awk '{print $7}' acesso.log | sort | uniq -c", out: "setores 812004\ncarrinho 31120" }] },
      { prompt: "e quais são os caminhos?", answer: "Há dois caminhos:\n\n- **Fila virtual**: as pessoas esperam numa página estática e entram 500 por minuto. O site fica como está. O serviço custa uns R$ 6 mil por abertura, ou uma semana de trabalho para fazer o nosso.\n- **Cache dos setores**: a página vem do CDN e a disponibilidade é atualizada a cada 5 segundos. Não custa nada, mas as pessoas veem lugares que já foram vendidos, e o carrinho continua sendo disputado por todo mundo de uma vez.\n\nO primeiro resolve também o carrinho; o segundo fica pronto amanhã.", label: "branch_point" },
      { prompt: "o cache dá pra medir antes?", answer: "Dá. Com uma simulação de 40 mil pessoas o banco fica em 700 consultas por segundo com cache, e o carrinho chega a 1.900 no primeiro minuto. Passa, mas por pouco.", tools: [{ run: "k6 run abertura.js", out: "http_req_failed 0.4%" }] },
      { prompt: "então decidimos usar a fila virtual em vez do cache, porque 1.900 é muito no limite e o show de março é o dobro disso", answer: "Combinado. Faço a nossa, com uma página estática e fichas assinadas, e deixo o limite de entrada configurável.", label: "branch_point" },
      { prompt: "isso", answer: "A fila está pronta em `fila/`: a ficha é assinada, vale 10 minutos e entram 500 por minuto.", tools: [{ tool: "Write", file: "fila/ficha.ts" }, { run: "k6 run abertura.js", out: "http_req_failed 0%" }, { run: "git commit -am 'Fila virtual'", out: "[main 77fe012] Fila virtual" }] },
      { prompt: "top. e o texto da página de espera, pode ser mais simpático?", answer: "Troquei para: «A gente já te chama! Pode deixar esta aba aberta.» Aparece o lugar na fila e o tempo previsto." },
    ],
  },
  {
    name: "pequenos consertos no blog",
    language: "pt",
    steps: [
      { prompt: "arruma o rodapé do blog, o ano tá 2023", answer: "O rodapé agora mostra o ano atual.", tools: [{ tool: "Edit", file: "src/rodape.tsx" }] },
      { prompt: "e o link do instagram tá quebrado", answer: "O endereço tinha um espaço no fim. Corrigido.", tools: [{ tool: "Edit", file: "src/rodape.tsx" }] },
      { prompt: "agora a fonte dos títulos ficou pequena no celular", answer: "Aumentei de 20 para 26 pixels em telas de até 480 de largura.", tools: [{ tool: "Edit", file: "src/tema.css" }] },
      { prompt: "roda o lint", answer: "Sem erros.", tools: [{ run: "npm run lint", out: "0 problems" }] },
      { prompt: "deu um warning no build de imagem sem alt, vê aí", answer: "Eram duas imagens no post de abertura. Ganharam descrição.", tools: [{ tool: "Edit", file: "posts/abertura.md" }] },
      { prompt: "valeu! sobe", answer: "No ar.", tools: [{ run: "git push", out: "main -> main" }] },
    ],
  },
];
