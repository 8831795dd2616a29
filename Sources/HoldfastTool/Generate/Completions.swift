/// Scripts for shells, made of the commands as they are.
struct Completions {
  let commands: [Command]

  /// For bash: one function, which looks at the command, the word before and the word at hand.
  var bash: String {
    var values = ""
    var names = ""
    for command in commands {
      for option in command.allOptions {
        guard let form = option.form else { continue }
        let pattern = option.spellings.map { "\"\(command.name) \($0)\"" }.joined(separator: "|")
        if !form.choices.isEmpty {
          values += "    \(pattern)) words='\(form.choices.joined(separator: " "))' ;;\n"
        } else if form.file != nil {
          values += "    \(pattern)) files; return ;;\n"
        } else {
          values += "    \(pattern)) return ;;\n"
        }
      }
      func add(_ pattern: String, _ words: [String]) {
        names += "    \(pattern)) words='\(words.joined(separator: " "))' ;;\n"
      }
      add("'\(command.name) -'*", command.allOptions.map(\.name))
      if !command.choices.isEmpty { add("'\(command.name) '*", command.choices) }
    }
    let commandNames = (commands.map(\.name) + ["help"]).joined(separator: " ")
    return """
      # Completions of holdfast for bash.
      _holdfast() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        local command=${COMP_WORDS[1]} words=
        # A folder among files gets a slash; a word that a folder has for its name does not.
        files() {
          compopt -o filenames 2>/dev/null
          COMPREPLY=($(compgen -f -- "$word"))
        }
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ] || [ "$command" = help ]; then
          COMPREPLY=($(compgen -W '\(commandNames)' -- "$word"))
          [ -n "$COMPREPLY" ] || [ "$command" = help ] || files
          return
        fi
        case "$command $before" in
      \(values)  esac
        if [ -n "$words" ]; then
          COMPREPLY=($(compgen -W "$words" -- "$word"))
          return
        fi
        case "$command $word" in
      \(names)  esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        [ -n "$COMPREPLY" ] || files
      }
      complete -F _holdfast holdfast

      """
  }

  /// For zsh: `_arguments` has a language of its own for options.
  var zsh: String {
    func escaped(_ text: String) -> String {
      var escaped = ""
      for character in text {
        switch character {
        case "'": escaped += "'\\''"
        case "[", "]", ":", "\\": escaped += "\\\(character)"
        default: escaped.append(character)
        }
      }
      return escaped
    }
    var list = ""
    var cases = ""
    for command in commands {
      list += "    '\(command.name):\(escaped(command.summary))'\n"
      cases += "  \(command.name))\n    _arguments -S \\\n"
      for option in command.allOptions {
        for name in option.spellings {
          cases += "      '*\(name)[\(escaped(option.meaning))]"
          if let form = option.form {
            cases += ":\(form.placeholder):"
            if !form.choices.isEmpty { cases += "(\(form.choices.joined(separator: " ")))" }
            if form.file != nil { cases += "_files" }
          }
          cases += "' \\\n"
        }
      }
      let words = command.choices.joined(separator: " ")
      cases +=
        words.isEmpty ? "      '*:file:_files'\n" : "      '1:what:(\(words))' '*:file:_files'\n"
      cases += "    ;;\n"
    }
    return """
      #compdef holdfast
      # Completions of holdfast for zsh.
      _holdfast() {
        local -a commands
        commands=(
      \(list)    'help:shows the options of a command, and examples'
        )
        if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then
          _describe command commands
          return
        fi
        shift words
        (( CURRENT-- ))
        case $words[1] in
      \(cases)  esac
      }
      if [ "$funcstack[1]" = _holdfast ]; then
        _holdfast "$@"
      else
        compdef _holdfast holdfast
      fi

      """
  }

  /// For fish: a line for each command and each option.
  var fish: String {
    func quoted(_ text: String) -> String {
      "'" + text.map { "\\'".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "'"
    }
    var text = "# Completions of holdfast for fish.\n"
    for command in commands {
      text += "complete -c holdfast -n __fish_use_subcommand -f -a \(command.name) "
      text += "-d \(quoted(command.summary))\n"
    }
    text += "complete -c holdfast -n __fish_use_subcommand -f -a help\n"
    for command in commands {
      let isChosen = "complete -c holdfast -n '__fish_seen_subcommand_from \(command.name)'"
      for option in command.allOptions {
        text += "\(isChosen) -l \(option.name.dropFirst(2))"
        if let short = option.short { text += " -s \(short.dropFirst())" }
        if let form = option.form {
          text +=
            !form.choices.isEmpty
            ? " -x -a \(quoted(form.choices.joined(separator: " ")))"
            : form.file != nil ? " -r -F" : " -x"
        }
        text += " -d \(quoted(option.meaning))\n"
      }
      if !command.choices.isEmpty {
        text += "\(isChosen) -f -a \(quoted(command.choices.joined(separator: " ")))\n"
      }
    }
    return text
  }
}
