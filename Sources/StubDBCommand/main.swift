print("stubdb")
