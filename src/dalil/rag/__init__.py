"""RAGSystem and its companions: the friendly, synchronous face.

    system         RAGSystem: four components of the caller's, wired into retrieve, context, prompt, generate
    base           BaseRAGSystem: what every system has, for those of another shape
    config         RAGConfig
    documents      LoadedDocument, and the ids of documents that come without one

    expansion      QueryExpander: a question in other words
    merging        one list out of the lists that several phrasings found
    caching        RetrievalCache
    reranking      Reranker
    routing        PromptRouter: prompts by language and kind of question
    versions       DocumentVersionManager
    chunk_access   what a chunk says, where it comes from, which one it is

    local          LocalRAGSystem: files, filters, answers with citations; wiring puts it together
    index          the vector database of a local system; chunks, context and local_llm are its other components
    evaluating     RAGEvaluator: test cases asked of any system

    ingesting, stages, prompting, sources, streaming, persistence    the stages that RAGSystem goes through
    components, loop                                         calling what is synchronous or asynchronous

Import names from `dalil`, or from the module that holds them; this package itself loads nothing.
"""
