"""Runs each operation once with the client that openapi-python-client generated; arguments: address, key, client's folder."""

import io
import json
import sys
import zipfile

address, key, folder = sys.argv[1:]
sys.path.insert(0, folder)

from skillkiln_client import AuthenticatedClient, models
from skillkiln_client.api.application import (
    answer_watch, credits_, delete_skill, download_skill, duplicate_skill, generate, get_skill, get_watch, list_skills, prefill,
    regenerate_skill, share_skill, unwatch_skill, update_skill, upload, watch_skill,
)
from skillkiln_client.api.rest import (
    rest_credits, rest_detect_topics, rest_download, rest_generate, rest_generate_catalogue, rest_generations, rest_run,
)
from skillkiln_client.models.download_skill_format import DownloadSkillFormat
from skillkiln_client.types import File

TEXT = open("docs/install.md", encoding="utf-8").read()
client = AuthenticatedClient(base_url=address, token=key, raise_on_unexpected_status=True)


def file():
    return File(payload=io.BytesIO(TEXT.encode()), file_name="install.md", mime_type="text/markdown")


def asked(operation, *arguments, **fields):
    answer = operation.sync_detailed(*arguments, client=client, **fields)
    assert 200 <= answer.status_code < 300, (operation.__name__, answer.status_code, answer.content)
    return answer.parsed, answer


def events(answer):
    frames = [frame for frame in answer.content.decode().split("\n\n") if frame.startswith("event: ")]
    return [(frame.split("\n")[0][7:], json.loads(frame.split("\ndata: ")[1])) for frame in frames]


# The REST surface.
of_text, _ = asked(rest_generate, body=models.GenerateForm(source=TEXT, name="From text"))
assert isinstance(of_text, models.GeneratedSkill) and of_text.metadata.source_type == models.SourceType.TEXT
of_file, _ = asked(rest_generate, body=models.GenerateForm(source=file()), idempotency_key="once")
assert of_file.metadata.source_type == models.SourceType.FILE and of_file.skill.word_count > 100
again, answer = asked(rest_generate, body=models.GenerateForm(source=file()), idempotency_key="once")
assert again.skill.id == of_file.skill.id and answer.headers["Idempotent-Replayed"] == "true"
run, _ = asked(rest_generate, body=models.GenerateForm(source=TEXT), prefer="respond-async")
assert isinstance(run, models.Run)
standing, _ = asked(rest_run, run.id)
assert standing.cost == 1
topics, _ = asked(rest_detect_topics, body=models.TopicsForm(source=file()))
chosen = [models.SelectedTopic.from_dict(topic.to_dict()) for topic in topics.topics[:2]]
catalogue, _ = asked(rest_generate_catalogue, body=models.CatalogueForm(source=file(), selected_topics=chosen))
assert isinstance(catalogue, models.Catalogue) and len(catalogue.skills) == len(chosen)
assert asked(rest_credits)[0].total_generations >= 2 + len(chosen)
assert asked(rest_generations, limit=2)[0].has_more
assert asked(rest_download, of_file.skill.id)[0] == of_file.skill.content

# The application surface.
sources, _ = asked(upload, body=models.UploadForm(files=[file(), file()]))
ids = [source.id for source in sources.sources]
assert asked(prefill, body=models.PrefillOrder(source_ids=ids))[0].name
told = events(asked(generate, body=models.GenerateOrder(source_ids=ids, category="guide"))[1])
assert [name for name, _ in told] == ["progress"] * 3 + ["complete"], told
skill = models.CompleteEvent.from_dict(told[-1][1]).skill_id
assert skill in [line.id for line in asked(list_skills, category="guide")[0].skills]
read, answer = asked(get_skill, skill)
assert read.validation.errors == 0
saved, _ = asked(update_skill, skill, body=models.NewContent(content=read.content + "\nMore.\n"), if_match=answer.headers["ETag"])
assert saved.word_count == read.word_count + 1
markdown, _ = asked(download_skill, skill)
assert markdown.payload.read().endswith(b"More.\n")
folder, _ = asked(download_skill, skill, format_=DownloadSkillFormat.ZIP)
assert any(name.endswith("/SKILL.md") for name in zipfile.ZipFile(folder.payload).namelist())
assert asked(share_skill, skill, body=models.Visibility(is_public=True))[0].share_url.endswith(f"/s/{skill}")
copy, _ = asked(duplicate_skill, skill)
assert copy.is_public is False
assert events(asked(regenerate_skill, skill)[1])[-1][0] == "complete"
# What was made of files is not watched.
wish = models.WatchOrder(every=models.WatchOrderEvery.WEEKLY, on_change=models.WatchOrderOnChange.TELL)
refused = watch_skill.sync_detailed(skill, client=client, body=wish)
assert refused.status_code == 400 and refused.parsed.error.code == models.ErrorCode.VALIDATION_ERROR
look = models.WatchAnswer(action=models.WatchAnswerAction.LOOK)
for nobody in (
    get_watch.sync_detailed(skill, client=client), unwatch_skill.sync_detailed(skill, client=client),
    answer_watch.sync_detailed(skill, client=client, body=look),
):
    assert nobody.status_code == 404 and nobody.parsed.error.code == models.ErrorCode.NOT_FOUND
asked(delete_skill, copy.id)
missing = get_skill.sync_detailed(copy.id, client=client)
assert missing.status_code == 404 and missing.parsed.error.code == models.ErrorCode.NOT_FOUND
assert asked(credits_)[0].credits_ >= 0
